#include "ui/app/page/action_drawing.h"

#include <cmath>

#include "keyboard/bench/test_key.h"
#include "ui/app/page/grand_drawing.h"
#include "ui/app/page/upright_drawing.h"

namespace letoff::ui {
namespace {

/// When the key goes down.
std::vector<bool> bodies_that_move(const keyboard::TestKey& settled, std::size_t bodies) {
    constexpr double kPress_mps = 0.05, kPress_m = 0.009;  // the damper is up by then, the jack at its button
    constexpr double kMoved = 1e-6;                        // rad, m
    keyboard::Bench pressed(settled);
    pressed.drive_at(kPress_mps, kPress_m);
    std::vector<bool> moves;
    for (std::size_t b = 0; b < bodies; ++b)
        moves.push_back(std::abs(pressed.block().state().q[b].lane[0] - settled.rest.q[b].lane[0]) > kMoved);
    return moves;
}

}  // namespace

core::ActionDrawing draw_action(const keyboard::KeyBuild& key) {
    const core::Mechanism mechanism = keyboard::mechanism_of(key);
    const keyboard::TestKey settled = keyboard::settle_test_key(key);
    core::ActionDrawing drawing = key.action->lanes == nullptr
                                      ? draw_grand(key, mechanism, bodies_that_move(settled, mechanism.bodies.size()))
                                      : draw_upright(mechanism, key.damped);
    for (std::size_t b = 0; b < mechanism.bodies.size(); ++b) drawing.rest.push_back(settled.rest.q[b].lane[0]);
    return drawing;
}

}  // namespace letoff::ui
