#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/midi/performance.h"
#include "core/midi/velocity.h"
#include "storage/midi_file.h"
#include "tests/storage/midi_test_bytes.h"
#include "tests/storage/temporary_folder.h"

using namespace letoff;
using namespace letoff::storage;
using namespace letoff::test;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

namespace {

class MidiFileWriterOnDisk : public TemporaryFolder {};

}  // namespace

TEST_F(MidiFileWriterOnDisk, WritesWhatItReads) {
    core::Performance played;
    for (int i = 0; i < 200; ++i) {
        core::PerformedNote note;
        note.key_index = i % 88;
        note.on_time_s = i * 0.1237;
        note.off_time_s = note.on_time_s + 0.2;
        note.velocity = core::kMidiDataMax - i / 2;
        if (i % 2 == 0) note.velocity_14bit = note.velocity * 128 + i % 128;
        note.release_velocity = i % 128;
        played.notes.push_back(note);
    }
    for (int i = 0; i < 1280; ++i) played.sustain.push_back({i * 0.01, (i * 13 % 128) / 127.0});  // ten sweeps
    played.soft = {{0.5, 1.0}, {40000.0, 0.0}};  // a pause longer than one delta time can say
    ASSERT_TRUE(write_midi_file(folder_ / "out.mid", core::messages_of(played)).ok());

    const auto file = read_midi_file(folder_ / "out.mid");
    ASSERT_TRUE(file.ok()) << file.error();
    EXPECT_THAT(file.value().warnings, IsEmpty());
    EXPECT_EQ(file.value().format, 1);
    const core::Performance back = core::performance_of(file.value().messages, file.value().end_s);
    ASSERT_EQ(back.notes.size(), played.notes.size());
    for (std::size_t i = 0; i < back.notes.size(); ++i) {
        EXPECT_EQ(back.notes[i].key_index, played.notes[i].key_index);
        EXPECT_NEAR(back.notes[i].on_time_s, played.notes[i].on_time_s, 51e-6);
        EXPECT_NEAR(back.notes[i].off_time_s, played.notes[i].off_time_s, 51e-6);
        EXPECT_EQ(back.notes[i].velocity_14bit, played.notes[i].velocity_14bit);
        EXPECT_EQ(back.notes[i].velocity, played.notes[i].velocity);
        EXPECT_EQ(back.notes[i].release_velocity, played.notes[i].release_velocity);
    }
    ASSERT_EQ(back.sustain.size(), played.sustain.size());
    for (std::size_t i = 0; i < back.sustain.size(); ++i)
        EXPECT_EQ(back.sustain[i].position, played.sustain[i].position);
    ASSERT_EQ(back.soft.size(), 2u);
    EXPECT_NEAR(back.soft[1].time_s, 40000.0, 51e-6);
}

TEST_F(MidiFileWriterOnDisk, AFailedWriteLeavesNothing) {
    const auto done = write_midi_file(folder_ / "none" / "out.mid", {});
    ASSERT_FALSE(done.ok());
    EXPECT_THAT(done.error(), AllOf(HasSubstr("out.mid"), HasSubstr("No such file")));
    EXPECT_EQ(entries(), 0u);
}

TEST(MidiFileWriter, SendsThePrefixBeforeTheNoteAndUsesRunningStatus) {
    const auto [prefix, note] = core::note_on_14bit(0, 60, 64 * 128 + 64);
    const Bytes bytes =
        midi_file_bytes(std::vector<core::TimedMidiMessage>{{0, prefix}, {0, note}, {0.01, core::note_on(0, 62, 5)}});
    const Bytes notes = track(Bytes{0, 0xB0, 0x58, 0x40, 0, 0x90, 0x3C, 0x40, 100, 62, 5} + kEndOfTrack);
    ASSERT_GT(bytes.size(), notes.size());
    EXPECT_EQ(Bytes(bytes.end() - static_cast<std::ptrdiff_t>(notes.size()), bytes.end()), notes);
}

TEST(MidiFileWriter, AfterTheTextThatBridgesALongPauseTheStatusIsSaidAgain) {
    const std::vector<core::TimedMidiMessage> messages{{0, core::note_on(0, 60, 5)},
                                                       {26843.6, core::note_on(0, 62, 5)}};
    const Bytes bytes = midi_file_bytes(messages);
    // 268436000 ticks are 2^28 - 1, the most that one delta time can say, and 545 more
    const Bytes notes =
        track(Bytes{0, 0x90, 60, 5, 0xFF, 0xFF, 0xFF, 0x7F, 0xFF, 0x01, 0x00, 0x84, 0x21, 0x90, 62, 5} + kEndOfTrack);
    EXPECT_EQ(Bytes(bytes.end() - static_cast<std::ptrdiff_t>(notes.size()), bytes.end()), notes);
}
