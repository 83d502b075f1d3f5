// The upright's numbers of one key: its table (upright_numbers.h), moved by what a touch has made of the grand.
#pragma once

#include "keyboard/action/registers.h"
#include "keyboard/action/upright_numbers.h"

namespace letoff::keyboard {

class UprightParts {
  public:
    /// `values` must outlive it.
    UprightParts(const GrandValues& values, int register_index);

    double raw(std::size_t number) const { return u_[number]; }
    double mm(std::size_t number) const { return u_[number] * 1e-3; }
    const GrandValues& values() const { return values_; }
    double row(std::size_t row) const { return values_[row]; }
    /// Of a row, from the factory grand's key.
    double moved(std::size_t row) const { return values_[row] - factory_[row]; }
    double ratio(std::size_t row) const { return values_[row] / factory_[row]; }

  private:
    void set_hammer();

    const GrandValues& values_;
    GrandValues factory_, reference_;
    UprightValues u_{};
};

}  // namespace letoff::keyboard
