// Touch profiles where nothing can be written: a full disk, files and folders that may only be read. What is there is
// read, nothing is half saved, and a sentence says why.
#include <SQLiteCpp/SQLiteCpp.h>
#include <sys/resource.h>

#include <csignal>

#include "tests/storage/profile_database_fixture.h"

namespace letoff::storage {
namespace {

using test::example;

/// A disk that is full in the middle of a write. The limit on a file's size is that of a whole process.
TEST_F(ProfileDatabaseTest, ADiskThatTakesNoMoreSavesNothingAndSaysSo) {
    make_example();
    {
        opened();
    }
    expect_in_child([&]() -> std::string {
        std::signal(SIGXFSZ, SIG_IGN);
        ProfileStore store = opened();
        const rlimit limit{200'000, 200'000};
        if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) return "no limit";
        for (int i = 0; i < 1000; ++i) {
            Profile profile = content(store);
            for (int key = 1; key <= 88; ++key) profile.values[{key, "hammer_g"}] = {4 + i % 20 / 2.0, false};
            const int before = head(store).newest;
            const auto saved = store.save(head(store), profile, "");
            if (saved.ok()) continue;
            if (saved.error().find("cannot save the touch profile") == std::string::npos) return saved.error();
            if (saved.error().find("full") == std::string::npos) return saved.error();
            return head(store).newest == before && content(store, "My grand", 1) == example() ? "" : "it was saved";
        }
        return "it never was full";
    });
    ProfileStore store = opened();
    EXPECT_FALSE(store.was_damaged());
    EXPECT_EQ(content(store, "My grand", 1), example());
    EXPECT_EQ(SQLite::Database(file()).execAndGet("PRAGMA integrity_check").getString(), "ok");
}

TEST_F(ProfileDatabaseTest, ADiskFullFromTheStartIsASentence) {
    expect_in_child([&]() -> std::string {
        std::signal(SIGXFSZ, SIG_IGN);
        const rlimit limit{0, 0};
        if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) return "no limit";
        const auto store = ProfileStore::open(setting());
        if (store.ok()) return "it opened";
        return store.error().find("cannot be used: the disk fails or is full") != std::string::npos ? ""
                                                                                                    : store.error();
    });
}

class ReadOnlyProfiles : public ProfileDatabaseTest {
  protected:
    /// Root may write anywhere, so as somebody who may not.
    void expect_as_nobody(const std::function<std::string()>& work) {
        expect_in_child([&]() -> std::string {
            constexpr uid_t kNobody = 65534;
            if (::geteuid() == 0 && ::setuid(kNobody) != 0) return "no other user";
            return work();
        });
    }
    std::string reads_but_does_not_save() const {
        ProfileStore store = opened();
        if (!(content(store) == example())) return "other content";
        if (store.list().value().size() != 1) return "another list";
        const auto saved = store.save(head(store), example(), "");
        if (saved.ok()) return "it was saved";
        return saved.error().find("may only be read: nothing was saved") != std::string::npos ? "" : saved.error();
    }
};

TEST_F(ReadOnlyProfiles, AFileThatMayOnlyBeRead) {
    make_example();
    fs::permissions(file(), fs::perms{0444});
    fs::permissions(folder_, fs::perms{0777});
    expect_as_nobody([&] { return reads_but_does_not_save(); });
}

TEST_F(ReadOnlyProfiles, AFolderThatMayOnlyBeRead) {
    make_example();
    ASSERT_FALSE(exists("-wal"));
    fs::permissions(file(), fs::perms{0444});
    fs::permissions(folder_, fs::perms{0555});
    expect_as_nobody([&] { return reads_but_does_not_save(); });
    fs::permissions(folder_, fs::perms{0777});
}

TEST_F(ReadOnlyProfiles, AFolderThatNothingCanBeMadeIn) {
    fs::permissions(folder_, fs::perms{0555});
    expect_as_nobody([&]() -> std::string {
        const auto store = ProfileStore::open(setting());
        if (store.ok()) return "it opened";
        return store.error().find("cannot be opened or made there") != std::string::npos ? "" : store.error();
    });
    fs::permissions(folder_, fs::perms{0777});
}

TEST_F(ReadOnlyProfiles, ADamagedFileThatMayOnlyBeReadStaysWhereItIs) {
    make_large();
    damage();
    fs::permissions(file(), fs::perms{0444});
    fs::permissions(folder_, fs::perms{0555});
    expect_as_nobody([&]() -> std::string {
        const auto store = ProfileStore::open(setting());
        if (store.ok()) return "it opened";
        return store.error().find("damaged, and may only be read") != std::string::npos ? "" : store.error();
    });
    fs::permissions(folder_, fs::perms{0777});
}

}  // namespace
}  // namespace letoff::storage
