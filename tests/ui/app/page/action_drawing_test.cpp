#include "ui/app/page/action_drawing.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace letoff::ui {
namespace {

// An action is drawn with what it has: parts that stand still while the key goes down belong to another one.
TEST(ActionDrawing, PartsThatAnActionDoesNotHaveAreNotDrawn) {
    const auto drawn = [](const core::ActionDrawing& drawing, keyboard::GrandBody body) {
        return std::any_of(drawing.shapes.begin(), drawing.shapes.end(),
                           [&](const core::ActionDrawing::Shape& s) { return s.body == body; });
    };
    keyboard::KeyBuild key;
    const core::ActionDrawing grand = draw_action(key);
    for (const auto body :
         {keyboard::kKey, keyboard::kWippen, keyboard::kJack, keyboard::kLever, keyboard::kHammer, keyboard::kDamper})
        EXPECT_TRUE(drawn(grand, body)) << body;
    key.action = keyboard::find_action("two_body");
    key.values[keyboard::grand_row("shank_stiffness_Nm_per_rad")] = 0;
    const core::ActionDrawing two = draw_action(key);
    EXPECT_TRUE(drawn(two, keyboard::kKey));
    EXPECT_TRUE(drawn(two, keyboard::kHammer));
    EXPECT_FALSE(drawn(two, keyboard::kJack));
    EXPECT_FALSE(drawn(two, keyboard::kLever));
    EXPECT_EQ(two.bodies.size(), grand.bodies.size()) << "coordinates keep their places";
}

}  // namespace
}  // namespace letoff::ui
