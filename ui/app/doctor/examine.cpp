#include "ui/app/doctor/examine.h"

#include <utility>

#include "core/simd/target.h"
#include "ui/app/doctor/device_checks.h"
#include "ui/app/doctor/machine_checks.h"
#include "ui/app/doctor/storage_checks.h"

namespace letoff::ui {

core::Findings examine(const std::string& db, const std::string& recordings, WhilePlaying playing) {
    core::Findings findings = check_machine({.simd = core::simd_name()});
    if (playing == WhilePlaying::kNo) {
        findings.push_back(check_audio(audio::list_audio_apis()));
        findings.push_back(check_midi(hw::midi_ports(hw::make_midi_systems())));
    }
    findings.push_back(check_usb(hw::list_usb_keybeds()));
    for (core::Finding& finding : check_storage(db, recordings)) findings.push_back(std::move(finding));
    return findings;
}

}  // namespace letoff::ui
