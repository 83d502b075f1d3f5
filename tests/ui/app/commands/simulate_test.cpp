#include "ui/app/commands/simulate.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace letoff::ui {
namespace {

using keyboard::DriveMode;

std::string error_of(std::string_view text, DriveMode mode = DriveMode::position) {
    const auto path = parse_path_csv(text, mode, "p.csv");
    return path ? std::string() : path.error();
}

TEST(PathCsv, ReadsNumbersHeaderCommentsAndDosLines) {
    const auto path = parse_path_csv("t_s,value\r\n# a press\r\n0,0\r\n\r\n 0.01 , 1.5e-3 \r\n0.02,0.002",
                                     DriveMode::position, "p.csv");
    ASSERT_TRUE(path) << path.error();
    ASSERT_EQ(path.value().size(), 3u);
    EXPECT_EQ(path.value()[1].t_s, 0.01);
    EXPECT_EQ(path.value()[1].value, 0.0015);
}

TEST(PathCsv, SaysWhichLineIsWrongAndWhatWouldBeRight) {
    EXPECT_EQ(error_of("0,0\n0.1,x\n"), "'p.csv' line 2: '0.1,x' is not two numbers t_s,value");
    EXPECT_EQ(error_of("0,0\n0.1\n"), "'p.csv' line 2: '0.1' is not two numbers t_s,value");
    EXPECT_EQ(error_of("0,0\n0.1,nan\n"), "'p.csv' line 2: '0.1,nan' is not two numbers t_s,value");
    EXPECT_EQ(error_of("0,0\nt_s,value\n"), "'p.csv' line 2: 't_s,value' is not two numbers t_s,value");
    EXPECT_EQ(error_of("0,0\n0.1,0\n0.1,0\n"),
              "'p.csv' line 3: the time 0.1 s is not after 0.1 s: times have to increase");
    EXPECT_EQ(error_of("0,0\n0.1,0.05\n"),
              "'p.csv' line 2: a dip of 0.05 m: -0.005 to 0.012 m from rest are possible, downwards positive");
    EXPECT_EQ(error_of("0,0\n0.1,-1\n", DriveMode::force),
              "'p.csv' line 2: a force of -1 N: 0 to 500 N are possible, a finger pushes and never pulls");
    EXPECT_EQ(error_of("0,0\n601,0\n"), "'p.csv' line 2: 601 s from the first time: at most 600 s can be simulated");
    EXPECT_EQ(error_of(""), "'p.csv' has 0 line(s) t_s,value: at least two are needed");
    EXPECT_EQ(error_of("0,0\n"), "'p.csv' has 1 line(s) t_s,value: at least two are needed");
    EXPECT_EQ(error_of(std::string("0,0\n\x01\xff") + std::string(100, 'z') + "\n"),
              "'p.csv' line 2: '??" + std::string(38, 'z') + "...' is not two numbers t_s,value");
}

TEST(TraceCsv, OneNameAndOneFieldAColumn) {
    keyboard::Trace trace(2);
    trace[1].t_s = 0.25;
    trace[1].q[keyboard::kHammer] = -0.125;
    trace[1].phase = keyboard::StrokePhase::free_flight;
    const std::string csv = trace_csv(trace);
    const auto line_end = csv.find('\n');
    const auto commas = [](std::string_view line) { return std::count(line.begin(), line.end(), ','); };
    EXPECT_EQ(commas(csv.substr(0, line_end)), 6 + 8 + 8 + 17 + 8 + 17);
    const std::string last = csv.substr(csv.rfind('\n', csv.size() - 2) + 1);
    EXPECT_EQ(commas(last), 6 + 8 + 8 + 17 + 8 + 17);
    EXPECT_EQ(last.substr(0, 17), "0.25,free_flight,");
    EXPECT_NE(last.find(",-0.125,"), std::string::npos);
}

}  // namespace
}  // namespace letoff::ui
