// A value, or one sentence that says what was wrong: names the thing, the value and what would be accepted. Not for
// real-time threads.
#pragma once

#include <string>
#include <utility>
#include <variant>

namespace letoff::core {

struct Error {
    std::string sentence;
};

template <typename T>
class Result {
  public:
    Result(T value) : value_(std::move(value)) {}      // NOLINT: implicit on purpose, as a return statement reads
    Result(Error error) : value_(std::move(error)) {}  // NOLINT

    bool ok() const { return std::holds_alternative<T>(value_); }
    explicit operator bool() const { return ok(); }
    T& value() { return std::get<T>(value_); }
    const T& value() const { return std::get<T>(value_); }
    const std::string& error() const { return std::get<Error>(value_).sentence; }

  private:
    std::variant<T, Error> value_;
};

}  // namespace letoff::core
