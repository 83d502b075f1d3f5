#include "storage/profile_store.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>

#include <utility>

#include "storage/profile_database.h"
#include "storage/profile_revisions.h"
#include "storage/same_name.h"
#include "storage/unix_time.h"

namespace letoff::storage {

namespace {

constexpr const char* kCannotRead = "cannot read the touch profiles";
constexpr const char* kCannotSave = "cannot save the touch profile";
constexpr std::string_view kUndone = "undone";

core::Error no_revision(const ProfileHead& profile, int number) {
    return {fmt::format("'{}' has no revision {}; it has 1 to {}", profile.name, number, profile.newest)};
}

/// SQLite keeps no negative zero, and what is read must be what was saved.
void without_negative_zeros(ProfileValues& values) {
    for (auto& [place, value] : values) value.value += 0.0;
}

}  // namespace

class ProfileStore::Impl {
  public:
    Impl(ProfileStoreSetting setting, std::unique_ptr<ProfileDatabase> database)
        : setting_(std::move(setting)), database_(std::move(database)) {
        if (!setting_.now_unix_s) setting_.now_unix_s = system_now_unix_s;
    }

    ProfileDatabase& database() { return *database_; }
    SQLite::Database& sqlite() { return database_->sqlite(); }

    struct Step {
        std::string_view how;
        int content_of = 0;
        bool deleted = false;
    };
    /// The next revision, or for a head without any the first of a new profile.
    core::Result<Saved> append(const ProfileHead& from, Profile content, const Step& step, std::string_view note);

    /// One call that reads: an exception of SQLite's becomes a sentence.
    template <typename Work>
    auto reading(const Work& work) -> decltype(work()) {
        try {
            return work();
        } catch (const SQLite::Exception& exception) {
            return database_->failure(kCannotRead, exception);
        }
    }

    /// Checked against damage.
    core::Result<Revision> revision(const ProfileHead& profile, int number);

  private:
    Done check(const Profile& content, std::string_view note) const;

    ProfileStoreSetting setting_;
    std::unique_ptr<ProfileDatabase> database_;
};

Done ProfileStore::Impl::check(const Profile& content, std::string_view note) const {
    if (auto valid = check_profile(content, setting_.rows, fmt::format("profile '{}'", content.name)); !valid)
        return valid;
    if (auto valid = check_revision_note(note); !valid) return valid;
    for (const std::string& reserved : setting_.reserved_names) {
        if (!same_name(reserved, content.name)) continue;
        return core::Error{fmt::format("'{}' is a factory profile, which stays as it is; use another name", reserved)};
    }
    return std::monostate{};
}

core::Result<Saved> ProfileStore::Impl::append(const ProfileHead& from, Profile content, const Step& step,
                                               std::string_view note) {
    without_negative_zeros(content.values);
    // A deletion takes the content as it is; it must be possible even where another build's limits were wider.
    if (auto valid = step.deleted ? check_revision_note(note) : check(content, note); !valid)
        return core::Error{valid.error()};
    if (auto writable = database_->check_writable(); !writable) return core::Error{writable.error()};
    try {
        SQLite::Transaction transaction(sqlite(), SQLite::TransactionBehavior::IMMEDIATE);
        const bool is_new = from.newest == 0;
        if (!is_new) {
            const auto head = find_profile(sqlite(), from.id);
            if (!head) return core::Error{fmt::format("'{}' is not in '{}'", from.name, database_->file())};
            if (head->newest != from.newest) return Saved{head->newest, true};
        }
        if (!step.deleted && name_is_taken(sqlite(), content.name, from.id)) {
            return core::Error{fmt::format("there is a profile named '{}' already; use another name", content.name)};
        }
        const std::int64_t id = is_new ? insert_profile(sqlite(), content.name) : from.id;
        Revision next;
        next.number = from.newest + 1;
        next.saved_unix_s = setting_.now_unix_s();
        next.how = step.how;
        next.content_of = step.content_of;
        next.note = note;
        next.deleted = step.deleted;
        next.content = std::move(content);
        insert_revision(sqlite(), id, next);
        transaction.commit();
        return Saved{next.number, false};
    } catch (const SQLite::Exception& exception) {
        return database_->failure(kCannotSave, exception);
    }
}

core::Result<Revision> ProfileStore::Impl::revision(const ProfileHead& profile, int number) {
    auto found = read_revision(sqlite(), profile.id, number);
    if (!found) return no_revision(profile, number);
    if (found->check_sum != check_sum(found->content)) {
        return core::Error{fmt::format("revision {} of '{}' is damaged in '{}'; restore another one", number,
                                       profile.name, database_->file())};
    }
    return std::move(*found);
}

ProfileStore::ProfileStore(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
ProfileStore::~ProfileStore() = default;
ProfileStore::ProfileStore(ProfileStore&&) noexcept = default;
ProfileStore& ProfileStore::operator=(ProfileStore&&) noexcept = default;

core::Result<ProfileStore> ProfileStore::open(ProfileStoreSetting setting) {
    auto database = ProfileDatabase::open(setting);
    if (!database) return core::Error{database.error()};
    return ProfileStore(std::make_unique<Impl>(std::move(setting), std::move(database.value())));
}

const std::vector<std::string>& ProfileStore::warnings() const {
    return impl_->database().warnings();
}
bool ProfileStore::was_damaged() const {
    return impl_->database().was_damaged();
}
const std::string& ProfileStore::file() const {
    return impl_->database().file();
}

core::Result<std::vector<ProfileInfo>> ProfileStore::list(Deleted deleted) {
    using Found = core::Result<std::vector<ProfileInfo>>;
    return impl_->reading([&]() -> Found { return all_profiles(impl_->sqlite(), deleted); });
}

core::Result<std::optional<ProfileHead>> ProfileStore::find(std::string_view name, Deleted deleted) {
    using Found = core::Result<std::optional<ProfileHead>>;
    return impl_->reading([&]() -> Found { return find_profile(impl_->sqlite(), name, deleted); });
}

core::Result<std::optional<ProfileHead>> ProfileStore::find(std::int64_t id) {
    using Found = core::Result<std::optional<ProfileHead>>;
    return impl_->reading([&]() -> Found { return find_profile(impl_->sqlite(), id); });
}

core::Result<std::int64_t> ProfileStore::change_count() {
    return impl_->reading(
        [&]() -> core::Result<std::int64_t> { return impl_->sqlite().execAndGet("PRAGMA data_version").getInt64(); });
}

core::Result<Profile> ProfileStore::load(const ProfileHead& profile, std::optional<int> revision) {
    return impl_->reading([&]() -> core::Result<Profile> {
        auto found = impl_->revision(profile, revision.value_or(profile.newest));
        if (!found) return core::Error{found.error()};
        return std::move(found.value().content);
    });
}

core::Result<std::vector<RevisionInfo>> ProfileStore::history(const ProfileHead& profile) {
    using Found = core::Result<std::vector<RevisionInfo>>;
    return impl_->reading([&]() -> Found { return all_revisions(impl_->sqlite(), profile.id); });
}

core::Result<Saved> ProfileStore::create(const Profile& content, std::string_view note, std::string_view how) {
    return impl_->append({}, content, {.how = how}, note);
}

core::Result<Saved> ProfileStore::save(const ProfileHead& profile, const Profile& content, std::string_view note,
                                       std::string_view how) {
    return impl_->append(profile, content, {.how = how}, note);
}

core::Result<Saved> ProfileStore::remove(const ProfileHead& profile, std::string_view note) {
    return impl_->reading([&]() -> core::Result<Saved> {
        // As it is, damaged or not: it goes.
        auto newest = read_revision(impl_->sqlite(), profile.id, profile.newest);
        if (!newest) return no_revision(profile, profile.newest);
        return impl_->append(profile, std::move(newest->content), {.how = "deleted", .deleted = true}, note);
    });
}

core::Result<Saved> ProfileStore::restore(const ProfileHead& profile, int revision, std::string_view note) {
    auto content = load(profile, revision);
    if (!content) return core::Error{content.error()};
    content.value().name = profile.name;
    return impl_->append(profile, std::move(content.value()), {.how = "restored", .content_of = revision}, note);
}

core::Result<Saved> ProfileStore::undo(const ProfileHead& profile, std::string_view note) {
    return impl_->reading([&]() -> core::Result<Saved> {
        // Where an undo went back to stands for the undo itself: so one undo after another goes on backwards.
        const auto standing_for = [&](int number) {
            const auto revision = read_revision(impl_->sqlite(), profile.id, number);
            return revision && revision->how == kUndone ? revision->content_of : number;
        };
        const int before = standing_for(profile.newest) - 1;
        if (before < 1) return core::Error{fmt::format("there is nothing to undo in '{}'", profile.name)};
        auto target = impl_->revision(profile, standing_for(before));
        if (!target) return core::Error{target.error()};
        const Impl::Step step{.how = kUndone, .content_of = target.value().number, .deleted = target.value().deleted};
        return impl_->append(profile, std::move(target.value().content), step, note);
    });
}

}  // namespace letoff::storage
