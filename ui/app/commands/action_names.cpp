#include "ui/app/commands/action_names.h"

#include "keyboard/action/action.h"

namespace letoff::ui {

std::string action_choices() {
    std::string names;
    for (const keyboard::Action& action : keyboard::actions())
        names.append(names.empty() ? "" : "|").append(action.name);
    return names;
}

Check action_name() {
    return {[](const std::string& given) {
                return keyboard::find_action(given) != nullptr ? std::string() : keyboard::no_such_action(given);
            },
            action_choices()};
}

}  // namespace letoff::ui
