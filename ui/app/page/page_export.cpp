// The page's side of recordings as files: what PageRecorder makes of them, beside the instrument that plays on.
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <utility>

#include "storage/midi_file.h"
#include "ui/app/page/page_recorder.h"
#include "ui/app/recording/play_again.h"
#include "ui/app/recording/recording_file.h"
#include "ui/app/recording/take_midi.h"

namespace letoff::ui {
namespace {

namespace fs = std::filesystem;
using core::ExportForm;

constexpr int kNiceness = 10;  // the instrument that plays comes first

struct Stopped {};  // the program ends: thrown out of a replay

const char* ending(ExportForm form) {
    return form == ExportForm::kWav ? ".wav" : form == ExportForm::kFlac ? ".flac" : ".mid";
}

core::VelocityForm velocity(ExportForm form) {
    using To = core::VelocityForm;
    return form == ExportForm::kMidiXp ? To::xp : form == ExportForm::kMidi7 ? To::seven_bit : To::prefix_88;
}

}  // namespace

core::Result<std::string> PageRecorder::begin_export(std::string_view name, ExportForm form) {
    auto store = open_recordings(file_);
    if (!store) return core::Error{store.error()};
    auto recording = store.value().load(name);
    if (!recording) return core::Error{recording.error()};
    {
        const std::lock_guard lock(mutex_);
        if (!exporting_.empty()) return core::Error{fmt::format("'{}' is being written: wait for it", exporting_)};
        exporting_ = name;
        export_file_.clear();
        export_error_.clear();
        export_bytes_ = 0;
        export_share_ = 0;
        exported_.close();
    }
    if (export_thread_.joinable()) export_thread_.join();  // it has ended: nothing is being written
    export_thread_ = std::thread([this, form, kept = std::move(recording.value())] { write_file(kept, form); });
    return fmt::format("'{}' is being written", name);
}

void PageRecorder::write_file(const storage::Recording& recording, ExportForm form) {
    (void)setpriority(PRIO_PROCESS, 0, kNiceness);  // on Linux: of this thread
    std::error_code ignored;
    std::string folder = (fs::temp_directory_path(ignored) / "letoff-export-XXXXXX").string();
    core::Result<bool> made = core::Error{fmt::format("cannot make a folder like '{}'", folder)};
    std::ifstream file;
    std::int64_t bytes = 0;
    if (mkdtemp(folder.data()) != nullptr) {
        const std::string path = folder + "/recording" + ending(form);
        made = make_file(recording, form, path);
        if (made) {
            file.open(path, std::ios::binary | std::ios::ate);
            bytes = file ? static_cast<std::int64_t>(file.tellg()) : 0;
            if (!file) made = core::Error{fmt::format("cannot read '{}'", path)};
        }
        fs::remove_all(folder, ignored);  // what is open is there for as long as it is read
    }
    const std::lock_guard lock(mutex_);
    exporting_.clear();
    if (!made) {
        export_error_ = made.error();
        return;
    }
    exported_ = std::move(file);
    export_bytes_ = bytes;
    export_file_ = recording.head.name + ending(form);
}

core::Result<bool> PageRecorder::make_file(const storage::Recording& recording, ExportForm form,
                                           const std::string& path) {
    if (form == ExportForm::kWav || form == ExportForm::kFlac) return make_sound(recording, path);
    const core::Performance performance =
        form == ExportForm::kHammers ? struck_performance(recording) : asked_performance(recording);
    const auto done = storage::write_midi_file(path, core::messages_of(performance, velocity(form)));
    if (!done) return core::Error{done.error()};
    return true;
}

core::Result<bool> PageRecorder::make_sound(const storage::Recording& recording, const std::string& path) {
    const auto progress = [this](double share, const char*) {
        if (stop_.load(std::memory_order_acquire)) throw Stopped();
        export_share_.store(share, std::memory_order_relaxed);
    };
    try {
        if (const auto again = play_again(recording, instrument_.setting(), path, progress); !again)
            return core::Error{again.error()};
    } catch (const Stopped&) {
        return core::Error{"the program ended"};
    }
    return true;
}

core::Result<std::string> PageRecorder::export_part(std::int64_t offset, std::size_t most) {
    const std::lock_guard lock(mutex_);
    if (export_file_.empty()) return core::Error{"there is no file to read: export a recording first"};
    if (offset < 0 || offset > export_bytes_)
        return core::Error{fmt::format("'{}' has {} bytes, not {}", export_file_, export_bytes_, offset)};
    std::string part(most, '\0');
    exported_.clear();
    exported_.seekg(offset);
    exported_.read(part.data(), static_cast<std::streamsize>(most));
    part.resize(static_cast<std::size_t>(exported_.gcount()));
    return part;
}

}  // namespace letoff::ui
