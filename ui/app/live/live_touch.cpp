#include "ui/app/live/live_touch.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <utility>

#include "core/unit/key_set.h"
#include "keyboard/keybed/grand_keys.h"
#include "ui/app/cache_file.h"

namespace letoff::ui {
namespace {

std::vector<keyboard::HammerFelt> felts_of(const core::StringSet& strings) {
    std::vector<keyboard::HammerFelt> felts;
    felts.reserve(strings.notes.size());
    for (const core::NoteStrings& note : strings.notes) felts.push_back(keyboard::felt_of(note));
    return felts;
}

/// The design with the hammers voiced as these values say.
core::StringDesign voiced(core::StringDesign design, const core::StringValues& values) {
    const core::StringDesign wanted = core::string_design(values);
    for (std::size_t k = 0; k < design.voices.size(); ++k) {
        design.voices[k].felt_hardness = wanted.voices[k].felt_hardness;
        design.voices[k].una_corda_hardness = wanted.voices[k].una_corda_hardness;
    }
    return design;
}

}  // namespace

TouchedKeys TouchedKeys::as_built(const Instrument& instrument) {
    return {{instrument.keys().begin(), instrument.keys().end()},
            std::vector<std::uint64_t>(instrument.keys().size(), 0),
            instrument.setting().strings,
            felts_of(instrument.strings())};
}

std::vector<int> TouchedKeys::turn(const core::StringSet& strings, const Touch& touch, std::uint64_t version,
                                   std::set<std::string_view>* fixed) {
    std::vector<keyboard::KeyBuild> next = keyboard::grand_keys(strings, 0, static_cast<int>(keys.size()), touch.grand);
    std::vector<keyboard::HammerFelt> next_felts = felts;
    if (const core::StringDesign wanted = voiced(design, touch.strings); wanted != design) {
        design = wanted;
        next_felts = felts_of(core::design_strings(design));
    }
    std::vector<int> changed;
    for (std::size_t k = 0; k < next.size(); ++k) {
        if (fixed != nullptr && next[k].action != keys[k].action) fixed->insert("the action");
        next[k].action = keys[k].action;
        for (std::size_t row = 0; row < keyboard::kGrandRowCount; ++row) {
            if (keyboard::kGrandRows[row].live != core::Live::kNobody) continue;
            if (fixed != nullptr && next[k].values[row] != keys[k].values[row])
                fixed->insert(keyboard::kGrandRows[row].id);
            next[k].values[row] = keys[k].values[row];
        }
        if (next[k].values != keys[k].values || next_felts[k] != felts[k]) {
            changed.push_back(static_cast<int>(k));
            stamps[k] = version;
        }
    }
    if (!changed.empty()) keys = std::move(next);
    felts = std::move(next_felts);
    return changed;
}

std::unique_ptr<keyboard::KeybedTouch> TouchedKeys::keybed_touch(std::uint64_t version) const {
    auto touch = std::make_unique<keyboard::KeybedTouch>();
    touch->version = version;
    for (std::size_t k = 0; k < keys.size(); ++k) {
        touch->keys.push_back(keyboard::key_touch(keys[k], stamps[k]));
        touch->keys.back().mechanics.felt = felts[k];
    }
    return touch;
}

std::unique_ptr<keyboard::LiveTables> first_tables(const Instrument& instrument) {
    auto tables = std::make_unique<keyboard::LiveTables>();
    tables->strokes.assign(instrument.stroke_tables().begin(), instrument.stroke_tables().end());
    return tables;
}

LiveTouch::LiveTouch(const Instrument& instrument)
    : instrument_(instrument),
      keys_(TouchedKeys::as_built(instrument)),
      tables_(first_tables(instrument)),
      touches_(std::make_unique<keyboard::KeybedTouch>()) {
    have_.live = std::move(*first_tables(instrument));
    have_.stroke_touch = keys_.stamps;
}

std::string LiveTouch::take(const Touch& touch) {
    ++version_;
    std::set<std::string_view> fixed;
    const std::vector<int> changed = keys_.turn(instrument_.strings(), touch, version_, &fixed);
    const std::string later =
        fixed.empty() ? "" : fmt::format("; {} will hold from the next start on", fmt::join(fixed, ", "));
    if (changed.empty()) return "the keys stay the same" + later;
    touches_.publish(keys_.keybed_touch(version_));
    for (const int key : changed) awaited_.push_back(key);
    load();
    return fmt::format("{} {} into it while {} played{}", core::key_list(changed),
                       changed.size() == 1 ? "turns" : "turn", changed.size() == 1 ? "it is" : "they are", later);
}

void LiveTouch::want_catch_up(bool wanted) {
    const bool more = wanted && !catch_up_;
    catch_up_ = wanted;
    if (more) load();
}

void LiveTouch::load() {
    if (loader_) {
        load_again_ = true;
        loader_->ask_to_stop();
        return;
    }
    const InstrumentSetting& setting = instrument_.setting();
    loader_ = std::make_unique<TableLoader>(
        TableLoader::Wanted{.keys = keys_.keys,
                            .stamps = keys_.stamps,
                            .catch_up = catch_up_,
                            .have = std::exchange(have_, {}),
                            .strokes = {setting.tick_hz, setting.cache_file},
                            .catch_ups = {setting.tick_hz, catch_up_cache_file(setting.cache_file)}},
        tables_);
}

std::string LiveTouch::poll() {
    if (!loader_ || !loader_->done()) return {};
    have_ = loader_->take();
    loader_.reset();
    tables_.collect();
    touches_.collect();
    if (std::exchange(load_again_, false)) {
        load();
        return {};
    }
    std::vector<int> keys = std::exchange(awaited_, {});
    if (catch_up_ && !std::exchange(told_first_, true)) return "the keys' tables are there: notes sound as they come";
    if (keys.empty()) return {};
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    return fmt::format("the finger tables of {} are there", core::key_list(keys));
}

}  // namespace letoff::ui
