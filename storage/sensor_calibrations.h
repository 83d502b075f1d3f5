// Calibrations of motorised keyboards' sensors and motors (hw/sensing), by the serial of the device, in a SQLite file
// of their own: they belong to the machine and not to a touch. Each is kept for ever; the newest is used. Threads: one
// object, one thread at a time. Errors are sentences that name the file.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "storage/atomic_file.h"

namespace letoff::storage {

/// One key's: what its two sensors mean and how well they were met, as hw/sensing/calibration.h names them.
struct StoredKeySensors {
    double k_m_per_V2 = 0, offset_m = 0, kappa_Vs_per_m = 0, coil_offset_V = 0;
    double position_rms_m = 0, position_worst_m = 0, velocity_rms_mps = 0;
    bool operator==(const StoredKeySensors&) const = default;
};

/// One key's: what its motor adds at each position so that its cogs are not felt (hw/sensing/cogging.h).
struct StoredKeyCogging {
    double bin_m = 0;             // width of a bin of position
    int first_bin = 0;            // of the forces; those before are not known
    std::vector<double> force_N;  // empty: this key was not measured
    bool operator==(const StoredKeyCogging&) const = default;
};

struct StoredCalibration {
    std::int64_t saved_unix_s = 0;
    std::vector<StoredKeySensors> keys;  // in the device's order
};

class SensorCalibrations {
  public:
    /// Makes the file where it is missing.
    static core::Result<SensorCalibrations> open(const std::string& file);
    ~SensorCalibrations();
    SensorCalibrations(SensorCalibrations&&) noexcept;
    SensorCalibrations& operator=(SensorCalibrations&&) noexcept;

    /// The newest; none: the device was never calibrated here.
    core::Result<std::optional<StoredCalibration>> find(std::string_view serial);
    Done save(std::string_view serial, std::int64_t now_unix_s, std::span<const StoredKeySensors> keys);
    /// In the device's order; empty: it was never measured here.
    core::Result<std::vector<StoredKeyCogging>> find_cogging(std::string_view serial);
    Done save_cogging(std::string_view serial, std::int64_t now_unix_s, std::span<const StoredKeyCogging> keys);

  private:
    struct Database;
    explicit SensorCalibrations(std::unique_ptr<Database> database);
    std::unique_ptr<Database> database_;
};

}  // namespace letoff::storage
