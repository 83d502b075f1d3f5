#include "storage/stroke_cache.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <limits>

#include "storage/migration.h"
#include "tests/storage/temporary_folder.h"

using namespace letoff::storage;
using ::testing::AllOf;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

namespace {

class StrokeCacheTest : public letoff::test::TemporaryFolder {
  protected:
    std::string file() const { return (folder_ / "strokes.db").string(); }

    StrokeCache opened(std::string_view tag = "build 1") const {
        auto cache = StrokeCache::open(file(), tag);
        EXPECT_TRUE(cache.ok()) << cache.error();
        return std::move(cache.value());
    }
    std::string refused() const {
        const auto cache = StrokeCache::open(file(), "build 1");
        EXPECT_FALSE(cache.ok());
        return cache.ok() ? "" : cache.error();
    }
};

std::optional<std::vector<double>> found(StrokeCache& cache, std::uint64_t hash) {
    auto result = cache.find(hash);
    EXPECT_TRUE(result.ok()) << result.error();
    return result.ok() ? result.value() : std::nullopt;
}

}  // namespace

TEST_F(StrokeCacheTest, KeepsEveryBitBetweenRuns) {
    const std::vector<double> table{0.1, -0.0, 1e-310, std::numeric_limits<double>::infinity(), 3.0};
    const std::uint64_t large_hash = 0xFFFFFFFFFFFFFFFE;
    {
        StrokeCache cache = opened();
        ASSERT_TRUE(cache.store(large_hash, table).ok());
        ASSERT_TRUE(cache.store(0, {}).ok());
    }
    StrokeCache cache = opened();
    const auto kept = found(cache, large_hash);
    ASSERT_TRUE(kept.has_value());
    EXPECT_EQ(*kept, table);
    EXPECT_TRUE(std::signbit((*kept)[1]));
    EXPECT_EQ(found(cache, 0), std::vector<double>{});
    EXPECT_EQ(found(cache, 1), std::nullopt);
}

TEST_F(StrokeCacheTest, TheSameKeyIsReplaced) {
    StrokeCache cache = opened();
    ASSERT_TRUE(cache.store(7, std::vector{1.0}).ok());
    ASSERT_TRUE(cache.store(7, std::vector{2.0, 3.0}).ok());
    EXPECT_EQ(found(cache, 7), (std::vector{2.0, 3.0}));
    EXPECT_EQ(cache.rows().value(), 1);
}

TEST_F(StrokeCacheTest, AnotherBuildsTablesAreNotUsedNorLost) {
    StrokeCache first = opened("build 1");
    ASSERT_TRUE(first.store(7, std::vector{1.0}).ok());
    StrokeCache second = opened("build 2");
    EXPECT_EQ(found(second, 7), std::nullopt);
    ASSERT_TRUE(second.store(7, std::vector{2.0}).ok());
    EXPECT_EQ(found(first, 7), std::vector{1.0});
    EXPECT_EQ(found(second, 7), std::vector{2.0});
}

TEST_F(StrokeCacheTest, WorksInMemory) {
    auto cache = StrokeCache::open(":memory:", "t");
    ASSERT_TRUE(cache.ok()) << cache.error();
    ASSERT_TRUE(cache.value().store(1, std::vector{1.5}).ok());
    EXPECT_EQ(found(cache.value(), 1), std::vector{1.5});
}

TEST_F(StrokeCacheTest, UsesAWriteAheadLog) {
    StrokeCache cache = opened();
    SQLite::Database other(file());
    EXPECT_EQ(other.execAndGet("PRAGMA journal_mode").getString(), "wal");
}

TEST_F(StrokeCacheTest, ATableDamagedOnTheDiskIsNotUsed) {
    StrokeCache cache = opened();
    ASSERT_TRUE(cache.store(7, std::vector{1.0, 2.0}).ok());
    SQLite::Database other(file(), SQLite::OPEN_READWRITE);
    other.exec("UPDATE stroke_table SET table_doubles = x'00000000000000000000000000000041'");
    EXPECT_EQ(found(cache, 7), std::nullopt);
    other.exec("UPDATE stroke_table SET table_doubles = x'0000'");
    EXPECT_EQ(found(cache, 7), std::nullopt);
}

TEST_F(StrokeCacheTest, WhatIsNoDatabaseIsRefused) {
    std::ofstream(file()) << std::string(5000, 'x');
    EXPECT_THAT(refused(), AllOf(HasSubstr("strokes.db"), HasSubstr("not a database")));
    EXPECT_EQ(contents(file()), std::string(5000, 'x'));
}

TEST_F(StrokeCacheTest, ADamagedDatabaseIsRefusedOrMissesWithASentence) {
    {
        StrokeCache cache = opened();
        for (std::uint64_t i = 0; i < 100; ++i) ASSERT_TRUE(cache.store(i, std::vector<double>(100, 1.0)).ok());
    }
    const auto size = fs::file_size(file());
    ASSERT_GT(size, 50000u);
    {
        std::fstream damage(file(), std::ios::in | std::ios::out | std::ios::binary);
        damage.seekp(4096);
        const std::string noise(size - 4096, '\x55');
        damage.write(noise.data(), static_cast<std::streamsize>(noise.size()));
    }
    auto cache = StrokeCache::open(file(), "build 1");
    if (!cache.ok()) {
        EXPECT_THAT(cache.error(), HasSubstr("cannot be used"));
        return;
    }
    const auto result = cache.value().find(5);
    ASSERT_FALSE(result.ok());
    EXPECT_THAT(result.error(), AllOf(HasSubstr("cannot be used"), HasSubstr("malformed")));
    EXPECT_FALSE(cache.value().store(5, std::vector{1.0}).ok());
}

TEST_F(StrokeCacheTest, AFolderThatIsMissingOrUnwritableIsOneSentence) {
    for (const char* path : {"/proc/strokes.db", "/nonexistent-folder/strokes.db", ""}) {
        const auto cache = StrokeCache::open(path, "t");
        ASSERT_FALSE(cache.ok()) << path;
        EXPECT_THAT(cache.error(), AllOf(HasSubstr("cache of finger tables"), HasSubstr(path)));
    }
}

TEST_F(StrokeCacheTest, ADatabaseOfAnotherProgramOrOfANewerBuildIsLeftAlone) {
    {
        SQLite::Database other(file(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
        other.exec("CREATE TABLE accounts (id INTEGER)");
    }
    EXPECT_THAT(refused(), HasSubstr("another program"));
    fs::remove(file());
    {
        opened();
    }
    {
        SQLite::Database other(file(), SQLite::OPEN_READWRITE);
        other.exec("PRAGMA user_version = 99");
    }
    EXPECT_THAT(refused(), HasSubstr("schema version is 99"));
}

TEST_F(StrokeCacheTest, TheOldestRowsGoWhenThereAreTooMany) {
    StrokeCache cache = opened();
    ASSERT_TRUE(cache.store(1, std::vector{1.0}).ok());
    ASSERT_TRUE(cache.store(2, std::vector{2.0}).ok());
    {
        SQLite::Database other(file(), SQLite::OPEN_READWRITE);  // as if the cache had been filled up to here
        other.exec("UPDATE sqlite_sequence SET seq = " + std::to_string(StrokeCache::kMostRows));
    }
    ASSERT_TRUE(cache.store(3, std::vector{3.0}).ok());
    EXPECT_EQ(found(cache, 1), std::nullopt);
    EXPECT_TRUE(found(cache, 2).has_value());
    EXPECT_TRUE(found(cache, 3).has_value());
}

TEST_F(StrokeCacheTest, AKilledWriterLeavesWholeRowsOnly) {
    std::size_t before = 0;
    for (std::size_t round = 0; round < 8; ++round) {
        int pipe_ends[2];
        ASSERT_EQ(::pipe(pipe_ends), 0);
        const pid_t writer = ::fork();
        ASSERT_GE(writer, 0);
        if (writer == 0) {
            auto cache = StrokeCache::open(file(), "build 1");
            if (!cache.ok()) ::_exit(1);
            for (std::uint64_t i = 0;; ++i) {
                const double value = static_cast<double>(i);
                if (!cache.value().store(i % 50, std::vector<double>(500, value)).ok()) ::_exit(1);
                const char done = 1;
                if (::write(pipe_ends[1], &done, 1) != 1) ::_exit(1);
            }
        }
        ::close(pipe_ends[1]);
        char done = 0;
        const std::size_t stores = 5 + 11 * round;
        for (std::size_t i = 0; i < stores; ++i) ASSERT_EQ(::read(pipe_ends[0], &done, 1), 1);
        ::kill(writer, SIGKILL);
        ASSERT_EQ(::waitpid(writer, nullptr, 0), writer);
        ::close(pipe_ends[0]);

        StrokeCache cache = opened();
        std::size_t rows = 0;
        for (std::uint64_t i = 0; i < 50; ++i) {
            const auto table = found(cache, i);
            if (!table) continue;
            ++rows;
            ASSERT_EQ(table->size(), 500u);
            ASSERT_EQ(std::fmod(table->front(), 50.0), static_cast<double>(i));
            ASSERT_EQ(table->front(), table->back());
        }
        EXPECT_GE(rows, std::max(before, std::min<std::size_t>(50, stores)));
        before = rows;
        SQLite::Database other(file());
        EXPECT_EQ(other.execAndGet("PRAGMA integrity_check").getString(), "ok");
    }
    EXPECT_LT(fs::file_size(file()) + (fs::exists(file() + "-wal") ? fs::file_size(file() + "-wal") : 0), 8u << 20);
}

TEST(Migration, TakesOnlyTheMissingStepsAndAllOrNone) {
    constexpr std::int32_t kOurs = 77;
    SQLite::Database database(":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    const std::vector<const char*> one{"CREATE TABLE t (a INTEGER); INSERT INTO t VALUES (1)"};
    ASSERT_TRUE(migrate(database, kOurs, one).ok());
    ASSERT_TRUE(migrate(database, kOurs, one).ok());  // a second start changes nothing
    EXPECT_EQ(database.execAndGet("SELECT count(*) FROM t").getInt(), 1);

    const std::vector<const char*> broken{one[0], "ALTER TABLE t ADD COLUMN b INTEGER", "nonsense"};
    EXPECT_THROW(static_cast<void>(migrate(database, kOurs, broken)), SQLite::Exception);
    EXPECT_EQ(database.execAndGet("PRAGMA user_version").getInt(), 1);

    const std::vector<const char*> three{one[0], "ALTER TABLE t ADD COLUMN b INTEGER DEFAULT 5", "UPDATE t SET a = 2"};
    ASSERT_TRUE(migrate(database, kOurs, three).ok());
    EXPECT_EQ(database.execAndGet("SELECT 10 * a + b FROM t").getInt(), 25);
    EXPECT_EQ(database.execAndGet("PRAGMA user_version").getInt(), 3);
    EXPECT_FALSE(migrate(database, kOurs, one).ok());  // an older build
    EXPECT_FALSE(migrate(database, kOurs + 1, three).ok());
}
