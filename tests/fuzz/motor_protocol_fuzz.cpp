// Any bytes as each message of the keybed protocol: refused with a sentence, or what was taken makes the same bytes
// again. The first byte says which message; a second pass puts the right check sum under the bytes, so that the fuzzer
// gets behind it.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "hw/protocol/codec.h"
#include "tests/fuzz/require.h"

using namespace letoff::hw;

namespace {

using Bytes = std::span<const std::uint8_t>;

bool taken(Refused refused) {
    require(!sentence(refused).empty());
    return refused == Refused::kNo;
}

bool same(Bytes a, Bytes b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

void check_motion(Bytes bytes) {
    MotionView view;
    if (!taken(decode(bytes, view))) return;
    const MotionHeader& h = view.header;
    require(h.keys >= kFewestKeys && h.keys <= kMostKeys && bytes.size() == motion_frame_bytes(h.keys, h.stream));
    std::vector<std::uint16_t> values;
    std::vector<std::int16_t> temperatures;
    std::vector<std::uint8_t> key_status;
    for (int sample = 0; sample < h.stream.samples; ++sample) {
        for (int field = 0; field < kSampledFields; ++field) {
            if (!view.has(static_cast<Field>(field))) continue;
            for (int key = 0; key < h.keys; ++key) values.push_back(view.raw(sample, static_cast<Field>(field), key));
        }
    }
    for (int key = 0; key < h.keys; ++key) {
        if (view.has(Field::kTemperature)) temperatures.push_back(view.temperature(key));
        key_status.push_back(view.key_status(key));
        require(!key_fault_name(key_status.back() & kKeyFaultMask).empty());
    }
    std::vector<std::uint8_t> again(kMostMotionBytes);
    again.resize(encode_motion(h, values, temperatures, key_status, again));
    MotionView second;
    require(decode(again, second) == Refused::kNo && second.header == h && again.size() == bytes.size());
    for (int key = 0; key < h.keys; ++key) require(second.key_status(key) == view.key_status(key));
}

void check_force(Bytes bytes) {
    ForceView view;
    if (!taken(decode(bytes, view))) return;
    std::vector<std::int16_t> forces;
    for (int sample = 0; sample < view.header.samples; ++sample) {
        for (int key = 0; key < view.header.keys; ++key) forces.push_back(view.force(sample, key));
    }
    std::vector<std::uint8_t> again(kMostForceBytes);
    again.resize(encode_force(view.header, forces, again));
    ForceView second;
    require(decode(again, second) == Refused::kNo && second.header == view.header && again.size() == bytes.size());
}

void check(unsigned which, Bytes bytes) {
    switch (which % 7) {
        case 0:
            return check_motion(bytes);
        case 1:
            return check_force(bytes);
        case 2: {
            Identity a, b;
            if (taken(decode(bytes, a))) require(decode(encode(a), b) == Refused::kNo && a == b);
            return;
        }
        case 3: {
            Status a, b;
            if (taken(decode(bytes, a))) require(decode(encode(a), b) == Refused::kNo && a == b);
            return;
        }
        case 4: {
            Command a;
            if (taken(decode(bytes, a))) require(same(encode(a), bytes));
            return;
        }
        case 5: {
            KeyRow a;
            if (taken(decode_set_key_row(bytes, a))) {
                KeyRow b;
                require(decode_set_key_row(encode_set_key_row(a), b) == Refused::kNo && a == b);
            }
            return;
        }
        default: {
            std::vector<KeyRow> rows(bytes.size() > 3 ? std::min<std::size_t>(bytes[3], kMostKeys) : 8);
            if (!taken(decode_key_rows(bytes, rows))) return;
            std::vector<std::uint8_t> again(key_rows_bytes(rows.size()));
            require(encode_key_rows(rows, again) == bytes.size() && same(again, bytes));
        }
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const unsigned which = data[0];
    const Bytes bytes(data + 1, size - 1);
    check(which, bytes);
    if (bytes.size() < 8) return 0;
    std::vector<std::uint8_t> right(bytes.begin(), bytes.end());
    const std::size_t covered = right.size() - kCrcBytes;
    const std::uint32_t crc = crc32(std::span(right).first(covered));
    for (std::size_t i = 0; i < kCrcBytes; ++i) right[covered + i] = static_cast<std::uint8_t>(crc >> 8 * i);
    check(which, right);
    return 0;
}
