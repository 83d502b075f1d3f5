#include "storage/midi_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/midi/performance.h"
#include "tests/storage/midi_test_bytes.h"
#include "tests/storage/temporary_folder.h"

using namespace letoff;
using namespace letoff::storage;
using namespace letoff::test;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

namespace {

MidiFile accepted(const Bytes& bytes) {
    auto file = parse_midi_file(bytes, "t.mid");
    EXPECT_TRUE(file.ok()) << file.error();
    return file ? file.value() : MidiFile{};
}

std::string refused(const Bytes& bytes) {
    const auto file = parse_midi_file(bytes, "t.mid");
    EXPECT_FALSE(file.ok());
    return file ? "" : file.error();
}

std::vector<double> times_s(const MidiFile& file) {
    std::vector<double> times;
    for (const auto& message : file.messages) times.push_back(message.time_s);
    return times;
}

Bytes tempo(std::uint8_t delta, int us) {
    return Bytes{delta, 0xFF, 0x51, 0x03} + number(static_cast<std::uint64_t>(us), 3);
}

}  // namespace

TEST(MidiFile, Format0WithRunningStatusAndTheDefaultTempo) {
    const MidiFile file = accepted(header(0, 1, 96) + track(one_note(96) + kEndOfTrack));
    EXPECT_THAT(times_s(file), ElementsAre(0.0, 0.5));
    EXPECT_EQ(file.messages[1].message, core::note_off(0, 60, 64));
    EXPECT_EQ(file.end_s, 0.5);
    EXPECT_THAT(file.warnings, IsEmpty());
}

TEST(MidiFile, Format1MergesTracksAndAppliesEveryTempo) {
    const Bytes first = tempo(0, 1000000) + tempo(96, 250000) + kEndOfTrack;
    const Bytes second = Bytes{48, 0x90, 60, 64, 96, 60, 0} + kEndOfTrack;
    const MidiFile file = accepted(header(1, 2, 96) + track(first) + track(second));
    EXPECT_THAT(times_s(file), ElementsAre(0.5, 1.125));  // half a quarter of 1 s; then half of 1 s and half of 0.25 s
}

TEST(MidiFile, Format1KeepsTheOrderOfTracksAtOneTick) {
    const MidiFile file = accepted(header(1, 2, 96) + track(Bytes{10, 0x90, 60, 1} + kEndOfTrack) +
                                   track(Bytes{10, 0x91, 61, 2} + kEndOfTrack));
    ASSERT_EQ(file.messages.size(), 2u);
    EXPECT_EQ(file.messages[0].message.channel, 0);
    EXPECT_EQ(file.messages[1].message.channel, 1);
}

TEST(MidiFile, Format2PlaysOnePieceAfterTheOtherEachWithItsOwnTempo) {
    const Bytes slow = tempo(0, 1000000) + one_note(96) + Bytes{96, 0xFF, 0x2F, 0};
    const Bytes usual = one_note(96) + kEndOfTrack;
    const MidiFile file = accepted(header(2, 2, 96) + track(slow) + track(usual));
    EXPECT_THAT(times_s(file), ElementsAre(0.0, 1.0, 2.0, 2.5));
    EXPECT_EQ(file.end_s, 2.5);
}

TEST(MidiFile, SmpteTimeIgnoresTempo) {
    const Bytes events = tempo(0, 1) + one_note(120) + kEndOfTrack;
    EXPECT_THAT(times_s(accepted(header(0, 1, 0xE250) + track(events))), ElementsAre(0.0, 120.0 / 2400));  // 30 x 80
    EXPECT_THAT(times_s(accepted(header(0, 1, 0xE728) + track(events))), ElementsAre(0.0, 0.12));          // 25 x 40
    EXPECT_THAT(times_s(accepted(header(0, 1, 0xE801) + track(events))), ElementsAre(0.0, 5.0));           // 24 x 1
    EXPECT_THAT(times_s(accepted(header(0, 1, 0xE364) + track(events))), ElementsAre(0.0, 120 * 1001.0 / 3000000));
}

TEST(MidiFile, DivisionsThatMeanNothingAreRefused) {
    for (const int division : {0x0000, 0x8000, 0xE200, 0xE300, 0xFF50, 0x8050, 0xE150}) {
        EXPECT_THAT(refused(header(0, 1, division) + track(one_note(1) + kEndOfTrack)), HasSubstr("time division"))
            << division;
    }
}

TEST(MidiFile, ThousandsOfTempoEventsDoNotDrift) {
    Bytes events;
    std::int64_t us = 0;    // sum of tempo times ticks; ticks of a seventh of a quarter have no exact seconds
    int tempo_us = 500000;  // the default of the format
    for (int i = 0; i < 20000; ++i) {
        us += tempo_us;
        tempo_us = 300000 + i * 7 % 1000;
        const Bytes change = tempo(1, tempo_us);
        events.insert(events.end(), change.begin(), change.end());
    }
    us += tempo_us;
    const MidiFile file = accepted(header(0, 1, 7) + track(events + Bytes{1, 0x90, 60, 64} + kEndOfTrack));
    ASSERT_EQ(file.messages.size(), 1u);
    EXPECT_EQ(file.messages[0].time_s, static_cast<double>(us) / 7e6);
}

TEST(MidiFile, MetaEventsOfWrongLengthAreLeftOutWithAWarning) {
    const Bytes events = Bytes{0, 0xFF, 0x59, 1, 0} + Bytes{0, 0xFF, 0x58, 2, 4, 2} + Bytes{0, 0xFF, 0x54, 3, 1, 2, 3} +
                         Bytes{0, 0xFF, 0x51, 2, 1, 2} + Bytes{0, 0xFF, 0x51, 4, 1, 2, 3, 4} + one_note(96) +
                         kEndOfTrack;
    const MidiFile file = accepted(header(0, 1, 96) + track(events));
    EXPECT_THAT(times_s(file), ElementsAre(0.0, 0.5));
    ASSERT_EQ(file.warnings.size(), 5u);
    EXPECT_THAT(file.warnings[0], AllOf(HasSubstr("0x59"), HasSubstr("1 bytes instead of 2")));
}

TEST(MidiFile, TempoZeroIsLeftOut) {
    const MidiFile file = accepted(header(0, 1, 96) + track(tempo(0, 0) + one_note(96) + kEndOfTrack));
    EXPECT_THAT(times_s(file), ElementsAre(0.0, 0.5));
    EXPECT_THAT(file.warnings, ElementsAre(HasSubstr("tempo of 0")));
}

TEST(MidiFile, RunningStatusGoesOnAfterMetaAndSystemExclusive) {
    const Bytes events =
        Bytes{0, 0x90, 60, 64, 1, 0xFF, 0x01, 1, 'x', 1, 60, 0, 1, 0xF0, 3, 1, 2, 0xF7, 1, 61, 5} + kEndOfTrack;
    const MidiFile file = accepted(header(0, 1, 96) + track(events));
    ASSERT_EQ(file.messages.size(), 3u);
    EXPECT_EQ(file.messages[2].message, core::note_on(0, 61, 5));
    EXPECT_THAT(file.warnings, IsEmpty());
}

TEST(MidiFile, EmptyTracksAreNoReasonToStop) {
    const Bytes bytes = header(1, 3, 96) + track({}) + track(one_note(96) + kEndOfTrack) + track({});
    const MidiFile file = accepted(bytes);
    EXPECT_EQ(file.messages.size(), 2u);
    EXPECT_EQ(file.tracks, 3);
    EXPECT_THAT(file.warnings, IsEmpty());
}

TEST(MidiFile, OnlyEmptyTracksIsAnEmptyPiece) {
    const MidiFile file = accepted(header(0, 1, 96) + track({}));
    EXPECT_EQ(file.messages.size(), 0u);
    EXPECT_EQ(file.end_s, 0.0);
}

TEST(MidiFile, MissingEndOfTrackIsAWarning) {
    const MidiFile file = accepted(header(0, 1, 96) + track(one_note(96)));
    EXPECT_EQ(file.messages.size(), 2u);
    EXPECT_THAT(file.warnings, ElementsAre(HasSubstr("no end-of-track")));
}

TEST(MidiFile, ThreeHundredTracksWhateverTheHeaderClaims) {
    for (const int claimed : {300, 299, 65535, 0}) {
        Bytes bytes = header(1, claimed, 96);
        for (int i = 0; i < 300; ++i) bytes = bytes + track(one_note(96) + kEndOfTrack);
        const MidiFile file = accepted(bytes);
        EXPECT_EQ(file.tracks, 300);
        EXPECT_EQ(file.messages.size(), 600u);
        EXPECT_EQ(file.warnings.size(), claimed == 300 ? 0u : 1u) << claimed;
    }
}

TEST(MidiFile, HeaderLengthsThatCannotBeAreRefused) {
    for (const std::uint32_t length : {0u, 5u, 1000u, 0xFFFFFFFFu}) {
        EXPECT_THAT(refused(header(0, 1, 96, length) + track(one_note(96) + kEndOfTrack)), HasSubstr("header claims"));
    }
}

TEST(MidiFile, ALongerHeaderIsSteppedOverAndALyingOneSeenThrough) {
    const Bytes notes = track(one_note(96) + kEndOfTrack);
    const MidiFile longer = accepted(header(0, 1, 96, 8) + Bytes{1, 2} + notes);
    EXPECT_EQ(longer.messages.size(), 2u);
    EXPECT_THAT(longer.warnings, ElementsAre(HasSubstr("8 bytes instead of 6")));
    EXPECT_EQ(accepted(header(0, 1, 96, 9) + notes).messages.size(), 2u);
}

TEST(MidiFile, WhatIsNoMidiFileIsRefusedByName) {
    EXPECT_THAT(refused({}), AllOf(HasSubstr("'t.mid'"), HasSubstr("empty")));
    EXPECT_THAT(refused(text("RIFF") + Bytes(100, 0)), HasSubstr("not a Standard MIDI File"));
    EXPECT_THAT(refused(text("MT")), HasSubstr("not a Standard MIDI File"));
    EXPECT_THAT(refused(text("MThd")), HasSubstr("cut off"));
    EXPECT_THAT(refused(header(0, 1, 96)), HasSubstr("no track"));
    EXPECT_THAT(refused(header(3, 1, 96) + track(kEndOfTrack)), HasSubstr("format is 3"));
    EXPECT_THAT(refused(header(0, 1, 96) + track({0x00, 0x40, 0x40, 0x40})), HasSubstr("no event in it makes sense"));
}

TEST(MidiFile, EveryTruncationOfAFileIsRefusedOrPlayedAsFarAsItGoes) {
    const Bytes whole = header(1, 2, 96) + track(tempo(0, 500000) + kEndOfTrack) + track(one_note(96) + kEndOfTrack);
    for (std::size_t size = 0; size < whole.size(); ++size) {
        const auto file = parse_midi_file(std::span(whole).first(size), "t.mid");
        const bool after_a_whole_track = size == 14 + 8 + 11;
        EXPECT_EQ(file.ok(), after_a_whole_track) << size;
        if (file.ok()) {
            EXPECT_THAT(file.value().warnings, ElementsAre(HasSubstr("claims 2 tracks, the file has 1")));
        } else {
            EXPECT_THAT(file.error(), AllOf(HasSubstr("cannot read 't.mid': "), ::testing::Not(HasSubstr("\n"))));
        }
    }
}

TEST(MidiFile, WrongTrackLengthsAroundACompleteTrack) {
    const Bytes notes = one_note(96) + kEndOfTrack;
    // too long for the file, but the music is complete
    EXPECT_EQ(accepted(header(0, 1, 96) + track_claiming(0xFFFFFFFF, notes)).messages.size(), 2u);
    // so long that it would swallow the next track
    const MidiFile swallowed = accepted(header(1, 2, 96) + track_claiming(20, notes) + track(notes));
    EXPECT_EQ(swallowed.tracks, 2);
    EXPECT_EQ(swallowed.messages.size(), 4u);
    // too short: the next track is still found
    const MidiFile cut = accepted(header(1, 2, 96) + track_claiming(4, notes) + track(notes));
    EXPECT_EQ(cut.tracks, 2);
    EXPECT_EQ(cut.messages.size(), 3u);
}

TEST(MidiFile, ChunksOfOtherKindsAreSteppedOver) {
    const Bytes alien = text("XFIH") + number(3, 4) + Bytes{1, 2, 3};
    const MidiFile file = accepted(header(0, 1, 96) + alien + track(one_note(96) + kEndOfTrack) + alien);
    EXPECT_EQ(file.messages.size(), 2u);
    EXPECT_THAT(file.warnings, IsEmpty());
}

TEST(MidiFile, ADamagedTrackIsUsedAsFarAsItGoesAndOthersWhole) {
    const std::vector<Bytes> damage{{0, 0x90, 60, 0x90},                   // status where data was due
                                    {0xFF, 0xFF, 0xFF, 0xFF, 0x7F, 0x90},  // a number of five bytes
                                    {0, 0xFF, 0x01, 0x87, 0x68},           // a meta event longer than the track
                                    {0, 0xF0, 0xFF, 0xFF, 0xFF, 0x7F},     // the same for System Exclusive
                                    {0, 0xF4},                             // undefined
                                    {0, 0x90, 60},                         // ends within an event
                                    {0x81}};                               // ends within a delta time
    for (const Bytes& bytes : damage) {
        const MidiFile file =
            accepted(header(1, 2, 96) + track(one_note(96) + bytes) + track(one_note(48) + kEndOfTrack));
        EXPECT_EQ(file.messages.size(), 4u);
        EXPECT_THAT(file.warnings, ElementsAre(HasSubstr("track 1 breaks off"))) << ::testing::PrintToString(bytes);
    }
}

TEST(MidiFile, SystemMessagesThatDoNotBelongInAFileAreSteppedOver) {
    const MidiFile file =
        accepted(header(0, 1, 96) + track(Bytes{0, 0xF8, 0, 0xF2, 1, 2, 0, 0xF3, 1} + one_note(96) + kEndOfTrack));
    EXPECT_EQ(file.messages.size(), 2u);
    EXPECT_EQ(file.warnings.size(), 3u);
}

TEST(MidiFile, AHopelessFileDoesNotFillTheScreen) {
    Bytes events;
    for (int i = 0; i < 1000; ++i) events.insert(events.end(), {0, 0xF8});
    const MidiFile file = accepted(header(0, 1, 96) + track(events + kEndOfTrack));
    ASSERT_EQ(file.warnings.size(), 21u);
    EXPECT_EQ(file.warnings.back(), "... and 980 more");
}

TEST(MidiFile, AnEventYearsAwayIsLeftOut) {
    const Bytes far{0xFF, 0xFF, 0xFF, 0x7F};
    const Bytes events = tempo(0, 0xFFFFFF) + Bytes{0, 0x90, 60, 64} + far + Bytes{60, 0} + far + Bytes{0xFF, 0x2F, 0};
    const MidiFile file = accepted(header(0, 1, 1) + track(events));
    EXPECT_THAT(times_s(file), ElementsAre(0.0));
    EXPECT_THAT(file.warnings, ElementsAre(HasSubstr("1 events later than 24 hours")));
    EXPECT_EQ(core::performance_of(file.messages, file.end_s).end_s, 0.0);
    // only the end of the track lies far away: a note left hanging stops after a minute, not after 24 hours
    const MidiFile hanging = accepted(header(0, 1, 1) + track(Bytes{0, 0x90, 60, 64} + far + Bytes{0xFF, 0x2F, 0}));
    EXPECT_EQ(core::performance_of(hanging.messages, hanging.end_s).end_s, 60.0);
}

class MidiFileOnDisk : public TemporaryFolder {};

TEST_F(MidiFileOnDisk, MissingFilesAndFoldersAreOneSentence) {
    const auto missing = read_midi_file(folder_ / "none.mid");
    ASSERT_FALSE(missing.ok());
    EXPECT_THAT(missing.error(), AllOf(HasSubstr("none.mid"), HasSubstr("No such file")));
    const auto directory = read_midi_file(folder_);
    ASSERT_FALSE(directory.ok());
    EXPECT_THAT(directory.error(), HasSubstr("directory"));
    const auto endless = read_midi_file("/dev/zero");
    ASSERT_FALSE(endless.ok());
    EXPECT_THAT(endless.error(), HasSubstr("not a Standard MIDI File"));
}
