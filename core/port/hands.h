// Fingers that the instrument itself can move on the keys of a motor array: those of a simulated one. A real array is
// played by its player's.
#pragma once

namespace letoff::core {

class Hands {
  public:
    virtual ~Hands() = default;
    /// Both on the keybed's thread, without waiting; times of the keybed's clock. A finger begins a stroke with this
    /// acceleration (core/finger/finger.h), or leaves the key at this speed.
    virtual void press(int key_index, double start_s, double acceleration_mps2) noexcept = 0;
    virtual void lift(int key_index, double start_s, double speed_mps) noexcept = 0;
};

}  // namespace letoff::core
