#include "ui/app/profiles/profile_watch.h"

#include <fmt/format.h>

#include <utility>

namespace letoff::ui {
namespace {

constexpr std::string_view kStays = "; the touch stays as it is";

}  // namespace

core::Result<std::optional<storage::ProfileHead>> NewestRevision::look(storage::ProfileStore& store,
                                                                       const storage::ProfileHead& playing) {
    using Newest = std::optional<storage::ProfileHead>;
    // The count is taken before the profile: what is saved between the two is seen at the next look.
    const auto count = store.change_count();
    if (count && count.value() == change_count_) return Newest{};
    auto found = count ? store.find(playing.id) : core::Error{count.error()};
    if (!found) {  // another program may be writing: the next look tries again
        if (std::exchange(failure_, found.error()) == failure_) return Newest{};
        return core::Error{failure_ + std::string(kStays)};
    }
    failure_.clear();
    change_count_ = count.value();
    if (Newest& head = found.value(); head && head->newest != playing.newest) return std::move(head);
    return Newest{};
}

core::Result<PlayableRevision> playable_revision(storage::ProfileStore& store, const storage::ProfileHead& head) {
    if (head.deleted) return core::Error{"it was deleted" + std::string(kStays)};
    auto profile = store.load(head);
    auto touch = profile ? touch_of(profile.value()) : core::Error{profile.error()};
    if (!touch) return core::Error{touch.error() + std::string(kStays)};
    return PlayableRevision{std::move(profile.value()), std::move(touch.value())};
}

ProfileWatch::ProfileWatch(ProfileLibrary library, storage::ProfileHead playing)
    : library_(std::move(library)), playing_(std::move(playing)) {}

std::optional<ProfileWatch::News> ProfileWatch::look() {
    storage::ProfileStore& store = *library_.store();
    const auto found = newest_.look(store, playing_);
    if (!found) return News{fmt::format("'{}'", playing_.name), found.error(), std::nullopt};
    const std::optional<storage::ProfileHead>& head = found.value();
    if (!head) return std::nullopt;
    playing_ = *head;
    News news{fmt::format("'{}', revision {}", head->name, head->newest), {}, std::nullopt};
    auto revision = playable_revision(store, *head);
    if (!revision) {
        news.sentence = revision.error();
        return news;
    }
    news.touch = std::move(revision.value().touch);
    news.profile = std::move(revision.value().profile);
    return news;
}

}  // namespace letoff::ui
