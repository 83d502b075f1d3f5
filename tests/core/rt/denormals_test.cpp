#include "core/rt/denormals.h"

#include <gtest/gtest.h>

#include <limits>

namespace letoff::core {
namespace {

#if defined(__SSE2__)
TEST(DenormalsTest, ResultsAndOperandsAreFlushedOnlyWhileTheObjectLives) {
    volatile double smallest = std::numeric_limits<double>::min();
    volatile double denormal = std::numeric_limits<double>::denorm_min();
    volatile double large = 0x1p1000;
    {
        const DenormalsOff outer;
        {
            const DenormalsOff inner;
            EXPECT_TRUE(DenormalsOff::active());
        }
        EXPECT_TRUE(DenormalsOff::active());  // the inner one leaves it as it found it
        volatile double result = smallest * 0.5;
        EXPECT_EQ(result * large, 0.0);
        result = denormal * large;  // a normal number, if the operand were not taken as zero
        EXPECT_EQ(result, 0.0);
    }
    EXPECT_FALSE(DenormalsOff::active());
    volatile double result = denormal * large;
    EXPECT_EQ(result, 0x1p-74);
}
#endif

}  // namespace
}  // namespace letoff::core
