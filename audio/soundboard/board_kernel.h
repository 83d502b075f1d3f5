// The inner loop of the soundboard: modes q'' + 2 sigma q' + (omega^2 + sigma^2) q = sum_k shape_k F_k, driven at a few
// points of the bridge by forces that are constant over a sample, heard as the board's speed. Pointer z = q' + sigma q
// + i omega q (m/s):
//
//   z <- z + z (e^(s dt) - 1) + (e^(s dt) - 1) / s  sum_k shape_k F_k,   s = -sigma + i omega
//   left += weight_left Re z
//
// Single precision is enough: a board mode forgets its past within a second. Same layout and summing rule as
// modal/string_kernel.h.
#pragma once

namespace letoff::audio {

inline constexpr int kBoardLanes = 16;
inline constexpr int kBridgePoints = 8;  // about every eleventh key; notes between two points push on both

struct alignas(64) BoardBlock {
    float step_re[kBoardLanes];  // e^(s dt) - 1
    float step_im[kBoardLanes];
    float push_re[kBoardLanes];  // (e^(s dt) - 1) / s, seconds
    float push_im[kBoardLanes];
    float shape[kBridgePoints][kBoardLanes];  // 1/kg
    float left[kBoardLanes];                  // full scale per m/s
    float right[kBoardLanes];
};

/// What the strings feel of 16 modes: speed of each point of the bridge to the state's real part.
struct alignas(64) BridgeBlock {
    float speed[kBridgePoints][kBoardLanes];
};

struct alignas(64) BoardState {
    float re[kBoardLanes];  // m/s
    float im[kBoardLanes];
};

struct BoardTick {
    const BoardBlock* modes = nullptr;
    BoardState* state = nullptr;
    int blocks = 0;
    int samples = 0;
    const float* point_N = nullptr;  // kBridgePoints rows of `samples`
    float* lanes = nullptr;          // scratch, 2 x samples x kBoardLanes, 64-byte aligned
    float* left = nullptr;           // out
    float* right = nullptr;
};

void advance_board(const BoardTick& tick) noexcept;

struct BoardForetelling {
    const BoardBlock* modes = nullptr;
    const BridgeBlock* bridge = nullptr;
    const BoardState* state = nullptr;
    int blocks = 0;
    int samples = 0;
    BoardState* turned = nullptr;  // scratch, `blocks` of them
    float* point_mps = nullptr;    // out: kBridgePoints rows of `samples`, at the end of each sample
};

/// How the bridge would move if nothing pushed it; the state stays as it is.
void foretell_bridge(const BoardForetelling& free) noexcept;

/// out[k][s] += weight[k] in[s] for each of four rows: what one note gives to two points of the bridge and to both
/// sides.
void add_shares(const float* in, int samples, const float* weight, float* const* out) noexcept;

}  // namespace letoff::audio
