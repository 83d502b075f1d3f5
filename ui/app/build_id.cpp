#include "ui/app/build_id.h"

#include <elf.h>
#include <fmt/format.h>
#include <link.h>

#include <cstddef>
#include <cstring>
#include <span>
#include <string_view>

namespace letoff::ui {
namespace {

constexpr std::size_t kAlign = 4;  // of names and contents of notes

std::string id_in(std::span<const std::byte> notes) {
    constexpr std::string_view kOwner("GNU\0", 4);
    while (notes.size() >= sizeof(ElfW(Nhdr))) {
        ElfW(Nhdr) head{};
        std::memcpy(&head, notes.data(), sizeof head);
        notes = notes.subspan(sizeof head);
        const std::size_t name = (head.n_namesz + kAlign - 1) / kAlign * kAlign;
        const std::size_t size = (head.n_descsz + kAlign - 1) / kAlign * kAlign;
        if (name + size > notes.size()) return {};
        const bool is_gnu = head.n_namesz == kOwner.size() && std::memcmp(notes.data(), kOwner.data(), name) == 0;
        if (is_gnu && head.n_type == NT_GNU_BUILD_ID) {
            std::string id;
            for (const std::byte byte : notes.subspan(name, head.n_descsz))
                id += fmt::format("{:02x}", std::to_integer<unsigned>(byte));
            return id;
        }
        notes = notes.subspan(name + size);
    }
    return {};
}

/// Of the program itself, which is told first.
int look(dl_phdr_info* object, std::size_t /*size*/, void* id) {
    for (int i = 0; i < object->dlpi_phnum; ++i) {
        const ElfW(Phdr)& part = object->dlpi_phdr[i];
        if (part.p_type != PT_NOTE) continue;
        const auto* begin = reinterpret_cast<const std::byte*>(object->dlpi_addr + part.p_vaddr);
        std::string found = id_in({begin, part.p_memsz});
        if (!found.empty()) *static_cast<std::string*>(id) = std::move(found);
    }
    return 1;
}

}  // namespace

std::string build_id() {
    std::string id;
    dl_iterate_phdr(look, &id);
    return id.empty() ? "unknown" : id;
}

}  // namespace letoff::ui
