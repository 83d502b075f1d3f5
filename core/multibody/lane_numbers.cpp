#include "core/multibody/lane_numbers.h"

#include "core/string/deterministic_math.h"

namespace letoff::core {
namespace {

using B = LaneBody;
using C = LaneContact;
using S = LaneSpring;
constexpr std::array<LaneBlock B::*, kBodyNumbers> kOfBody{&B::pivot_x, &B::pivot_y, &B::mass, &B::inertia,
                                                           &B::com_x,   &B::com_y,   &B::dry,  &B::viscous};
constexpr std::array<LaneBlock C::*, kContactNumbers> kOfContact{
    &C::circle_x, &C::circle_y, &C::circle_radius,   &C::other_radius,  &C::other_x, &C::other_y,
    &C::dir_x,    &C::dir_y,    &C::length,          &C::face_length,   &C::felt_k,  &C::felt_r,
    &C::felt_b,   &C::mu,       &C::felt_inverse_r1, &C::felt_r_minus_1};
constexpr std::array<LaneBlock S::*, kSpringNumbers> kOfSpring{&S::stiffness, &S::rest_angle};
// Places in kOfContact.
constexpr std::size_t kFeltK = 10, kFeltR = 11, kMu = 13, kInverseR1 = 14, kRMinus1 = 15;

constexpr std::size_t kFirstContact = kMaxBodies * kBodyNumbers;
constexpr std::size_t kFirstSpring = kFirstContact + kMaxContacts * kContactNumbers;

/// Where the number of that index stands.
LaneBlock& block(LaneModel& model, std::size_t i) noexcept {
    if (i < kFirstContact) return model.body[i / kBodyNumbers].*kOfBody[i % kBodyNumbers];
    if (i < kFirstSpring) {
        const std::size_t k = i - kFirstContact;
        return model.contact[k / kContactNumbers].*kOfContact[k % kContactNumbers];
    }
    const std::size_t k = i - kFirstSpring;
    return model.spring[k / kSpringNumbers].*kOfSpring[k % kSpringNumbers];
}

double straight(double from, double to, double share) noexcept {
    return (1 - share) * from + share * to;
}

}  // namespace

LaneNumbers lane_numbers(const LaneModel& model, int lane) noexcept {
    LaneNumbers numbers{};
    std::size_t i = 0;
    const auto take = [&](const auto& parts, const auto& members) {
        for (const auto& part : parts) {
            for (const auto member : members) numbers[i++] = (part.*member).lane[lane];
        }
    };
    take(model.body, kOfBody);
    take(model.contact, kOfContact);
    take(model.spring, kOfSpring);
    return numbers;
}

std::span<const std::uint16_t> changed_numbers(const LaneNumbers& from, const LaneNumbers& to,
                                               std::span<std::uint16_t, kLaneNumbers> changed) noexcept {
    std::size_t count = 0;
    for (std::size_t i = 0; i < from.size(); ++i) {
        if (from[i] != to[i]) changed[count++] = static_cast<std::uint16_t>(i);
    }
    return changed.first(count);
}

void set_lane_between(LaneModel& model, int lane, const LaneNumbers& from, const LaneNumbers& to,
                      std::span<const std::uint16_t> changed, double share) noexcept {
    for (const std::size_t i : changed) {
        double& number = block(model, i).lane[lane];
        const bool of_contact = i >= kFirstContact && i < kFirstSpring;
        const std::size_t place = of_contact ? (i - kFirstContact) % kContactNumbers : 0;
        if (share >= 1) {
            number = to[i];
        } else if (of_contact && place == kFeltK && from[i] > 0) {
            number = from[i] * pow_positive(to[i] / from[i], share);
        } else if (of_contact && place == kInverseR1) {
            number = 1.0 / (straight(from[i - kInverseR1 + kFeltR], to[i - kInverseR1 + kFeltR], share) + 1.0);
        } else if (of_contact && place == kRMinus1) {
            number = straight(from[i - kRMinus1 + kFeltR], to[i - kRMinus1 + kFeltR], share) - 1.0;
        } else {
            number = straight(from[i], to[i], share);
        }
        if (of_contact && place == kMu && number > 0)
            model.topology.contact[(i - kFirstContact) / kContactNumbers].friction = true;
    }
}

}  // namespace letoff::core
