#include "ui/app/live/sensor_store.h"

#include <fmt/format.h>

#include <ctime>
#include <filesystem>

#include "storage/sensor_calibrations.h"
#include "ui/app/user_folder.h"

namespace letoff::ui {
namespace {

constexpr const char* kFile = "calibrations.db";

storage::StoredKeySensors stored(const hw::KeySensorCalibration& c) {
    return {c.k_m_per_V2,     c.offset_m,         c.kappa_Vs_per_m,  c.coil_offset_V,
            c.position_rms_m, c.position_worst_m, c.velocity_rms_mps};
}

hw::KeySensorCalibration read(const storage::StoredKeySensors& s) {
    return {s.k_m_per_V2,     s.offset_m,         s.kappa_Vs_per_m,  s.coil_offset_V,
            s.position_rms_m, s.position_worst_m, s.velocity_rms_mps};
}

}  // namespace

std::vector<hw::KeySensorCalibration> kept_calibration(const hw::Identity& identity) {
    const auto folder = user_data_folder();
    std::error_code ignored;
    if (!folder || !std::filesystem::exists(folder.value() / kFile, ignored)) return {};
    auto store = storage::SensorCalibrations::open((folder.value() / kFile).string());
    if (!store) return {};
    const auto found = store.value().find(identity.serial_text());
    if (!found || !found.value() || found.value()->keys.size() != identity.keys) return {};
    std::vector<hw::KeySensorCalibration> keys;
    for (const storage::StoredKeySensors& key : found.value()->keys) keys.push_back(read(key));
    return keys;
}

core::Result<std::string> keep_calibration(const hw::Identity& identity,
                                           const std::vector<hw::KeySensorCalibration>& keys) {
    const auto folder = user_data_folder();
    if (!folder) return core::Error{fmt::format("no place for calibrations: {}", folder.error())};
    if (const std::string why = make_folder(folder.value()); !why.empty())
        return core::Error{fmt::format("cannot make the folder '{}': {}", folder.value().string(), why)};
    const std::string file = (folder.value() / kFile).string();
    auto store = storage::SensorCalibrations::open(file);
    if (!store) return core::Error{store.error()};
    std::vector<storage::StoredKeySensors> rows;
    for (const hw::KeySensorCalibration& key : keys) rows.push_back(stored(key));
    if (auto saved = store.value().save(identity.serial_text(), std::time(nullptr), rows); !saved)
        return core::Error{saved.error()};
    return file;
}

}  // namespace letoff::ui
