package io.margay.app.cli;

import java.util.List;

/// One command. Immutable.
///
/// @param operands how help calls what is not an option, such as `[FILE...]`; empty for none
/// @param details paragraphs of the help
/// @param examples command lines with what they do
public record Command(
        String name,
        String summary,
        String operands,
        List<String> details,
        List<Option> options,
        List<Example> examples) {
    /// A command line and what it does.
    public record Example(String line, String does) {}

    public Command {
        details = List.copyOf(details);
        options = List.copyOf(options);
        examples = List.copyOf(examples);
    }

    /// The lines of a text block as one paragraph.
    public static String paragraph(String block) {
        StringBuilder text = new StringBuilder(block.length());
        for (String line : block.split("\n", -1)) {
            if (!line.isBlank()) {
                text.append(text.isEmpty() ? "" : " ").append(line.strip());
            }
        }
        return text.toString();
    }

    /// The names of all options.
    public List<String> optionNames() {
        return options.stream().map(Option::name).toList();
    }
}
