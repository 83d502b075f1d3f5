// The page's side of the profiles: what PageControl does with the library.
#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "storage/profile_json.h"
#include "storage/same_name.h"
#include "ui/app/page/page_control.h"
#include "ui/app/profiles/blend.h"
#include "ui/app/profiles/factory.h"
#include "ui/app/profiles/rows.h"

namespace letoff::ui {
namespace {

std::string text_of(const std::string& row, const std::optional<storage::ProfileValue>& value) {
    return value ? number_text(row, *value) : std::string();
}

}  // namespace

core::Result<ProfileLibrary*> PageControl::library(ProfileLibrary::Missing missing) {
    const bool must_be_made = missing == ProfileLibrary::Missing::kIsMade && library_ && library_->store() == nullptr;
    if (!library_ || must_be_made) {
        // Without a database yet the factory's profiles are there all the same.
        std::error_code ignored;
        const bool none_yet =
            missing == ProfileLibrary::Missing::kIsEmpty && !db_.empty() && !std::filesystem::exists(db_, ignored);
        auto opened = none_yet ? ProfileLibrary() : ProfileLibrary::open(db_, missing);
        if (!opened) return core::Error{opened.error()};
        library_.emplace(std::move(opened.value()));
    }
    return &*library_;
}

core::Result<storage::ProfileStore*> PageControl::store() {
    auto all = library(ProfileLibrary::Missing::kIsMade);
    if (!all) return core::Error{all.error()};
    return all.value()->store();
}

void PageControl::take_profile(FoundProfile found) {
    content_ = saved_ = std::move(found.content);
    head_ = std::move(found.head);
    by_number_ = found.by_number;
    undo_.clear();
    redo_.clear();
    coalesced_.clear();
    const std::lock_guard lock(state_mutex_);
    state_.profile = content_.name;
    state_.saved_revision = found.revision;
    state_.elsewhere = false;
}

core::Result<core::DraftResult> PageControl::choose(std::int64_t revision, std::string_view profile) {
    const std::lock_guard lock(work_);
    if (revision != draft().revision) return conflict();
    auto all = library(ProfileLibrary::Missing::kIsEmpty);
    if (!all) return core::Error{all.error()};
    auto found = all.value()->find(profile);
    if (!found) return core::Error{found.error()};
    if (const auto playable = touch_of(found.value().content); !playable) return core::Error{playable.error()};
    take_profile(std::move(found.value()));
    changed(fmt::format("'{}' was taken", content_.name));
    return done(fmt::format("'{}' plays", content_.name));
}

core::Result<core::DraftResult> PageControl::save(std::int64_t revision, std::string_view name, std::string_view note) {
    const std::lock_guard lock(work_);
    if (revision != draft().revision) return conflict();
    const bool as_another = !name.empty() && name != content_.name;
    if (!as_another && !head_) {
        return core::Error{fmt::format(
            "'{}' is a factory profile, which stays as it is: save it under a name of your own", content_.name)};
    }
    const auto kept = store();
    if (!kept) return core::Error{kept.error()};
    storage::Profile content = content_;
    if (as_another) content.name = name;
    const auto saved = as_another ? kept.value()->create(content, note) : kept.value()->save(*head_, content, note);
    if (!saved) return core::Error{saved.error()};
    if (saved.value().conflict) {
        const std::lock_guard state(state_mutex_);
        state_.elsewhere = true;
        return core::DraftResult{
            state_, true,
            fmt::format("another program has saved '{}' meanwhile (revision {}): nothing was saved; "
                        "save under another name, or take its revision",
                        content.name, saved.value().revision)};
    }
    const auto head = kept.value()->find(content.name);
    if (!head) return core::Error{head.error()};
    head_ = head.value();
    by_number_ = false;
    content_ = saved_ = std::move(content);
    {
        const std::lock_guard state(state_mutex_);
        state_.profile = content_.name;
        state_.saved_revision = saved.value().revision;
        state_.elsewhere = false;
    }
    changed(fmt::format("saved as '{}', revision {}", content_.name, saved.value().revision));
    return done(fmt::format("'{}', revision {}, is saved", content_.name, saved.value().revision));
}

core::Result<std::vector<core::ProfileEntry>> PageControl::profiles() {
    const std::lock_guard lock(work_);
    auto all = library(ProfileLibrary::Missing::kIsEmpty);
    if (!all) return core::Error{all.error()};
    std::vector<core::ProfileEntry> entries;
    if (all.value()->store() != nullptr) {
        const auto own = all.value()->store()->list();
        if (!own) return core::Error{own.error()};
        for (const storage::ProfileInfo& info : own.value()) {
            const auto found = all.value()->find(info.name);
            entries.push_back({info.name, info.action, found ? found.value().content.notes : "", info.revision,
                               info.saved_unix_s, false});
        }
    }
    for (const std::string& name : factory_names()) {
        if (const auto profile = factory_profile(name))
            entries.push_back({name, profile->action, profile->notes, 0, 0, true});
    }
    return entries;
}

core::Result<std::vector<core::RevisionEntry>> PageControl::history(std::string_view profile) {
    const std::lock_guard lock(work_);
    auto all = library(ProfileLibrary::Missing::kIsEmpty);
    if (!all) return core::Error{all.error()};
    const auto head = all.value()->find_own(profile);
    if (!head) return core::Error{head.error()};
    const auto revisions = all.value()->store()->history(head.value());
    if (!revisions) return core::Error{revisions.error()};
    std::vector<core::RevisionEntry> entries;
    for (const storage::RevisionInfo& r : revisions.value())
        entries.push_back({r.number, r.saved_unix_s, r.how, r.note, r.changed_values});
    return entries;
}

core::Result<std::vector<core::Difference>> PageControl::differences(std::string_view a, std::string_view b) {
    const std::lock_guard lock(work_);
    auto all = library(ProfileLibrary::Missing::kIsEmpty);
    if (!all) return core::Error{all.error()};
    // "": the draft.
    const auto content_of = [&](std::string_view name) -> core::Result<storage::Profile> {
        if (name.empty()) return content_;
        auto found = all.value()->find(name);
        if (!found) return core::Error{found.error()};
        return std::move(found.value().content);
    };
    const auto before = content_of(a), after = content_of(b);
    if (!before) return core::Error{before.error()};
    if (!after) return core::Error{after.error()};
    std::vector<core::Difference> rows;
    for (const storage::ProfileDifference& d : storage::difference(before.value().values, after.value().values))
        rows.push_back({d.place.key, d.place.row, text_of(d.place.row, d.before), text_of(d.place.row, d.after)});
    return rows;
}

core::Result<std::string> PageControl::blend(std::string_view a, std::string_view b, double share,
                                             std::string_view name) {
    const std::lock_guard lock(work_);
    if (!(share >= 0 && share <= 1)) return core::Error{fmt::format("a blend's share is from 0 to 1, not {}", share)};
    auto all = library(ProfileLibrary::Missing::kIsMade);
    if (!all) return core::Error{all.error()};
    const auto from = all.value()->find(a), to = all.value()->find(b);
    if (!from) return core::Error{from.error()};
    if (!to) return core::Error{to.error()};
    auto blended = ui::blend(from.value().content, to.value().content, share);
    if (!blended) return core::Error{blended.error()};
    storage::Profile& content = blended.value().profile;
    content.name = name;
    if (const auto playable = touch_of(content); !playable) return core::Error{playable.error()};
    const auto saved = all.value()->store()->create(content, fmt::format("{:.0f} % from {} to {}", 100 * share, a, b));
    if (!saved) return core::Error{saved.error()};
    return content.name;
}

/// One of the user's own, in upper or lower case as the database finds it.
bool PageControl::is_playing(std::string_view profile) const {
    return head_ && storage::same_name(profile, head_->name);
}

core::Result<std::string> PageControl::remove(std::string_view profile) {
    const std::lock_guard lock(work_);
    auto all = library(ProfileLibrary::Missing::kIsEmpty);
    if (!all) return core::Error{all.error()};
    if (is_playing(profile)) return core::Error{fmt::format("'{}' is the one that plays: take another first", profile)};
    const auto saved =
        all.value()->change(profile, storage::Deleted::kLeftOut,
                            [](storage::ProfileStore& kept, const auto& head) { return kept.remove(head, ""); });
    if (!saved) return core::Error{saved.error()};
    return fmt::format("'{}' is deleted; letoff profile restore brings it back", profile);
}

core::Result<std::string> PageControl::restore(std::string_view profile, int revision) {
    const std::lock_guard lock(work_);
    auto all = library(ProfileLibrary::Missing::kIsEmpty);
    if (!all) return core::Error{all.error()};
    const bool plays = is_playing(profile);
    if (plays && draft().unsaved) return core::Error{"the draft is not saved: save it or undo it first"};
    const auto saved = all.value()->change(
        profile, storage::Deleted::kToo,
        [&](storage::ProfileStore& kept, const auto& head) { return kept.restore(head, revision, ""); });
    if (!saved) return core::Error{saved.error()};
    std::string sentence =
        fmt::format("'{}' is as in revision {} again, kept as revision {}", profile, revision, saved.value().revision);
    if (plays) {
        auto found = all.value()->find(profile);
        if (!found) return core::Error{found.error()};
        take_profile(std::move(found.value()));
        changed(sentence);
    }
    return sentence;
}

core::Result<std::string> PageControl::export_text(std::string_view profile) {
    const std::lock_guard lock(work_);
    auto all = library(ProfileLibrary::Missing::kIsEmpty);
    if (!all) return core::Error{all.error()};
    const auto found = all.value()->find(profile);
    if (!found) return core::Error{found.error()};
    return storage::profile_json(found.value().content);
}

core::Result<std::string> PageControl::import_text(std::string_view text, std::string_view name) {
    const std::lock_guard lock(work_);
    auto content = storage::parse_profile_json(text, "the file", kProfileRows);
    if (!content) return core::Error{content.error()};
    if (!name.empty()) content.value().name = name;
    const auto kept = store();
    if (!kept) return core::Error{kept.error()};
    const auto saved = kept.value()->create(content.value(), "", "imported");
    if (!saved) return core::Error{saved.error()};
    return content.value().name;
}

}  // namespace letoff::ui
