#include "ui/app/live/sensor_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <ctime>
#include <filesystem>
#include <span>

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

storage::StoredKeyCogging stored(const hw::CoggingTable& table) {
    const auto begin = table.force_in_bin_N.begin();
    return {hw::CoggingTable::kBin_m,
            static_cast<int>(table.first),
            {begin + static_cast<std::ptrdiff_t>(table.first), begin + static_cast<std::ptrdiff_t>(table.last)}};
}

/// One of other bins, or past the last of them, is as if it was never measured.
hw::CoggingTable read(const storage::StoredKeyCogging& s) {
    hw::CoggingTable table;
    const auto first = static_cast<std::size_t>(s.first_bin);
    if (s.bin_m != hw::CoggingTable::kBin_m || first + s.force_N.size() > hw::CoggingTable::kBins) return table;
    table.first = first;
    table.last = first + s.force_N.size();
    std::copy(s.force_N.begin(), s.force_N.end(), table.force_in_bin_N.begin() + static_cast<std::ptrdiff_t>(first));
    return table;
}

core::Result<storage::SensorCalibrations> open_kept() {
    const auto folder = user_data_folder();
    std::error_code ignored;
    if (!folder || !std::filesystem::exists(folder.value() / kFile, ignored)) return core::Error{"there is none"};
    return storage::SensorCalibrations::open((folder.value() / kFile).string());
}

/// The file to save into.
core::Result<std::string> file_to_keep() {
    const auto folder = user_data_folder();
    if (!folder) return core::Error{fmt::format("no place for calibrations: {}", folder.error())};
    if (const std::string why = make_folder(folder.value()); !why.empty())
        return core::Error{fmt::format("cannot make the folder '{}': {}", folder.value().string(), why)};
    return (folder.value() / kFile).string();
}

/// The file that the keys' rows were saved into.
template <typename Row, typename Key>
core::Result<std::string> keep(const hw::Identity& identity, const std::vector<Key>& keys,
                               storage::Done (storage::SensorCalibrations::*save)(std::string_view, std::int64_t,
                                                                                  std::span<const Row>)) {
    auto file = file_to_keep();
    if (!file) return file;
    auto store = storage::SensorCalibrations::open(file.value());
    if (!store) return core::Error{store.error()};
    std::vector<Row> rows;
    rows.reserve(keys.size());
    for (const Key& key : keys) rows.push_back(stored(key));
    if (auto saved = (store.value().*save)(identity.serial_text(), std::time(nullptr), rows); !saved)
        return core::Error{saved.error()};
    return file;
}

}  // namespace

std::vector<hw::KeySensorCalibration> kept_calibration(const hw::Identity& identity) {
    auto store = open_kept();
    if (!store) return {};
    const auto found = store.value().find(identity.serial_text());
    if (!found || !found.value() || found.value()->keys.size() != identity.keys) return {};
    std::vector<hw::KeySensorCalibration> keys;
    for (const storage::StoredKeySensors& key : found.value()->keys) keys.push_back(read(key));
    return keys;
}

std::vector<hw::CoggingTable> kept_cogging(const hw::Identity& identity) {
    auto store = open_kept();
    if (!store) return {};
    const auto found = store.value().find_cogging(identity.serial_text());
    if (!found || found.value().size() != identity.keys) return {};
    std::vector<hw::CoggingTable> keys;
    for (const storage::StoredKeyCogging& key : found.value()) keys.push_back(read(key));
    return keys;
}

core::Result<std::string> keep_calibration(const hw::Identity& identity,
                                           const std::vector<hw::KeySensorCalibration>& keys) {
    return keep<storage::StoredKeySensors>(identity, keys, &storage::SensorCalibrations::save);
}

core::Result<std::string> keep_cogging(const hw::Identity& identity, const std::vector<hw::CoggingTable>& keys) {
    return keep<storage::StoredKeyCogging>(identity, keys, &storage::SensorCalibrations::save_cogging);
}

hw::ArrayOptions array_with_all_kept() {
    return {.session = {}, .calibration = kept_calibration, .cogging = kept_cogging};
}

}  // namespace letoff::ui
