#include "ui/app/profiles/profile_watch.h"

#include <fmt/format.h>

#include <utility>

namespace letoff::ui {

ProfileWatch::ProfileWatch(ProfileLibrary library, storage::ProfileHead playing)
    : library_(std::move(library)), playing_(std::move(playing)) {}

std::optional<ProfileWatch::News> ProfileWatch::look() {
    storage::ProfileStore& store = *library_.store();
    // The count is taken before the profile: what is saved between the two is seen at the next look.
    const auto count = store.change_count();
    if (count && count.value() == change_count_) return std::nullopt;
    const auto head = count ? store.find(playing_.id) : core::Error{count.error()};
    if (!head) {  // another program may be writing: the next look tries again
        if (head.error() == failure_) return std::nullopt;
        failure_ = head.error();
        return News{fmt::format("'{}'", playing_.name), failure_ + "; the touch stays as it is", std::nullopt};
    }
    failure_.clear();
    change_count_ = count.value();
    const std::optional<storage::ProfileHead>& now = head.value();
    if (!now || now->newest == playing_.newest) return std::nullopt;
    News news = news_of(*now);
    playing_ = *now;
    return news;
}

ProfileWatch::News ProfileWatch::news_of(const storage::ProfileHead& head) {
    News news{fmt::format("'{}', revision {}", head.name, head.newest), {}, std::nullopt};
    if (head.deleted) {
        news.sentence = "it was deleted; the touch stays as it is";
        return news;
    }
    const auto profile = library_.store()->load(head);
    auto touch = profile ? touch_of(profile.value()) : core::Error{profile.error()};
    if (!touch) {
        news.sentence = touch.error() + "; the touch stays as it is";
        return news;
    }
    news.touch = std::move(touch.value());
    news.profile = profile.value();
    return news;
}

}  // namespace letoff::ui
