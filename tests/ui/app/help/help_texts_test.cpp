#include <gmock/gmock.h>

#include "ui/app/help/bash_completion.h"
#include "ui/app/help/man_page.h"
#include "ui/app/help/option_words.h"

namespace letoff::ui {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

TEST(HelpTexts, FixedWordsAreWhatCanBeTypedAsItStands) {
    EXPECT_THAT(fixed_words("auto|alsa[:DEVICE]|wav:FILE|NAME"), ElementsAre("auto", "alsa", "wav:"));
    EXPECT_THAT(fixed_words("ADDRESS:PORT=127.0.0.1:8088|off"), ElementsAre("off"));
    EXPECT_THAT(fixed_words("N=128"), IsEmpty());
    EXPECT_THAT(fixed_words(""), IsEmpty());
}

class HelpOfAProgram : public testing::Test {
  protected:
    HelpOfAProgram() : app_("what it does", "prog") {
        CLI::App* group = app_.add_subcommand("keep", "Keep things");
        CLI::App* sub = group->add_subcommand("list", "List them");
        sub->add_option("--sort", text_, "By 'name' or -size\n.or not")->option_text("name|size");
        sub->add_option("file", text_, "Where")->required();
        sub->add_flag("--json", flag_, "As JSON")->group("");
        sub->footer("Example: prog keep list\\n");
    }
    CLI::App app_;
    std::string text_;
    bool flag_ = false;
};

TEST_F(HelpOfAProgram, TheManualHasEverySubcommandWithItsOptions) {
    const std::string page = man_page(app_, "prog 1.2");
    EXPECT_TRUE(page.starts_with(".TH LETOFF 1 \"\" \"prog 1.2\"")) << page;
    EXPECT_THAT(page, HasSubstr(".SS \"letoff keep list\"\nList them\n"));
    EXPECT_THAT(page, HasSubstr("\\fB\\-\\-sort\\fR \\fIname|size\\fR\n"));
    EXPECT_THAT(page, HasSubstr("\\fBfile\\fR\nWhere\n"));
    EXPECT_THAT(page, Not(HasSubstr("As JSON"))) << "hidden options stay hidden";
}

TEST_F(HelpOfAProgram, NoWordOfTheHelpBecomesARequestOfTroff) {
    const std::string page = man_page(app_, "prog 1.2");
    EXPECT_THAT(page, HasSubstr("By 'name' or \\-size\n\\&.or not\n"));
    EXPECT_THAT(page, HasSubstr("prog keep list\\en\n"));
}

TEST_F(HelpOfAProgram, TheCompletionKnowsWhatFollowsASubcommandAndAnOption) {
    const std::string script = bash_completion(app_);
    EXPECT_THAT(script, HasSubstr("'letoff keep'|'letoff keep list') path+="));
    EXPECT_THAT(script, HasSubstr("'letoff keep') words='list --help -h'"));
    EXPECT_THAT(script, HasSubstr("'letoff keep list') words='--help -h --sort'"));
    EXPECT_THAT(script, HasSubstr("'letoff keep list:--sort') words='name size'"));
}

}  // namespace
}  // namespace letoff::ui
