#include "core/string/string_rows.h"

namespace letoff::core {
namespace {

template <typename Choice>
Choice chosen(const StringValues& values, std::size_t row) {
    return static_cast<Choice>(static_cast<int>(values.whole[row]));
}

}  // namespace

StringValues::StringValues() {
    for (std::size_t row = 0; row < kStringRowCount; ++row) set_whole(row, kStringRows[row].default_value);
    a4_is_asked_for = false;
}

void StringValues::set_whole(std::size_t row, double value) {
    whole[row] = value;
    for (Values& key : keys) key[row] = value;
    a4_is_asked_for |= row == string_row("a4_hz");
}

StringDesign string_design(const StringValues& values) {
    StringDesign design;
    Tuning& tuning = design.tuning;
    if (values.a4_is_asked_for) tuning.a4_hz = values.whole[string_row("a4_hz")];
    tuning.temperament = chosen<Temperament>(values, string_row("temperament"));
    tuning.root = chosen<int>(values, string_row("temperament_root"));
    tuning.curve = chosen<StretchCurve>(values, string_row("stretch_curve"));
    tuning.stretch = values.whole[string_row("stretch")];
    for (std::size_t i = 0; i < tuning.pitch_class_cents.size(); ++i)
        tuning.pitch_class_cents[i] = values.whole[string_row("temper_C_cents") + i];
    design.una_corda_shift_m = values.whole[string_row("una_corda_shift_mm")] * 1e-3;
    for (std::size_t k = 0; k < values.keys.size(); ++k) {
        const StringValues::Values& of = values.keys[k];
        tuning.note_cents[k] = of[string_row("note_cents")];
        tuning.scale_cents[k] = of[string_row("scale_cents")];
        tuning.own_stretch_cents[k] = of[string_row("stretch_cents")];
        design.voices[k] = {of[string_row("hammer_hardness")], of[string_row("unison_cents")],
                            of[string_row("note_volume_dB")], of[string_row("una_corda_hardness")]};
    }
    return design;
}

}  // namespace letoff::core
