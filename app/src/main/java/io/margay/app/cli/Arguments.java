package io.margay.app.cli;

import io.margay.app.yaml.Nearest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/// The options and operands of one command line. Immutable.
public final class Arguments {
    private final Map<String, List<String>> options;
    private final List<String> operands;

    private Arguments(Map<String, List<String>> options, List<String> operands) {
        this.options = options;
        this.operands = List.copyOf(operands);
    }

    /// Reads what follows the command's name: `--name value`, `--name=value`, operands in any
    /// order; after `--` all are operands.
    public static Arguments parse(Command command, List<String> words) throws UsageException {
        Map<String, List<String>> options = new LinkedHashMap<>();
        List<String> operands = new ArrayList<>();
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            if (word.equals("--")) {
                operands.addAll(words.subList(i + 1, words.size()));
                break;
            }
            if (!word.startsWith("-") || word.equals("-")) {
                operands.add(word);
                continue;
            }
            int equals = word.indexOf('=');
            String name = equals < 0 ? word : word.substring(0, equals);
            Option option = option(command, name);
            String value = "";
            if (option.argument().isEmpty()) {
                if (equals >= 0) {
                    throw new UsageException("the option " + name + " takes no value");
                }
            } else if (equals >= 0) {
                value = word.substring(equals + 1);
            } else if (i + 1 < words.size() && !isOption(command, words.get(i + 1))) {
                value = words.get(++i);
            } else {
                throw new UsageException("the option " + option.usage() + " needs a value");
            }
            List<String> values = options.computeIfAbsent(name, _ -> new ArrayList<>());
            if (!values.isEmpty() && !option.repeatable()) {
                throw new UsageException("the option " + name + " was given twice");
            }
            values.add(value);
        }
        if (command.operands().isEmpty() && !operands.isEmpty()) {
            throw new UsageException(
                    "\"" + command.name() + "\" takes no \"" + operands.getFirst() + "\"");
        }
        return new Arguments(options, operands);
    }

    private static boolean isOption(Command command, String word) {
        int equals = word.indexOf('=');
        return command.optionNames().contains(equals < 0 ? word : word.substring(0, equals));
    }

    private static Option option(Command command, String name) throws UsageException {
        for (Option option : command.options()) {
            if (option.name().equals(name)) {
                return option;
            }
        }
        throw new UsageException(
                "\""
                        + command.name()
                        + "\" has no option "
                        + name
                        + Nearest.hint(name, command.optionNames()));
    }

    /// What is not an option, in order.
    public List<String> operands() {
        return operands;
    }

    public boolean has(String option) {
        return options.containsKey(option);
    }

    /// The option's value, if it was given.
    public Optional<String> value(String option) {
        return all(option).stream().findFirst();
    }

    /// The values of a repeatable option, in order.
    public List<String> all(String option) {
        return List.copyOf(options.getOrDefault(option, List.of()));
    }

    /// What the option's value stands for, if it was given.
    ///
    /// @param reader throws an [IllegalArgumentException] that says what is wrong with a value
    public <T> Optional<T> value(String option, Function<String, T> reader) throws UsageException {
        return all(option, reader).stream().findFirst();
    }

    /// What the values of a repeatable option stand for, in order.
    public <T> List<T> all(String option, Function<String, T> reader) throws UsageException {
        List<T> read = new ArrayList<>();
        for (String text : all(option)) {
            read.add(read(option, text, reader));
        }
        return read;
    }

    /// What a part of the option's value stands for.
    public static <T> T read(String option, String text, Function<String, T> reader)
            throws UsageException {
        try {
            return reader.apply(text);
        } catch (IllegalArgumentException e) {
            String detail =
                    e.getMessage() == null || e.getMessage().isEmpty() ? "" : ": " + e.getMessage();
            throw new UsageException(option + " \"" + text + "\" is not valid" + detail);
        }
    }

    /// The option's value, if it was given.
    ///
    /// @param words those that are possible
    public Optional<String> choice(String option, List<String> words) throws UsageException {
        Optional<String> value = value(option);
        if (value.isPresent() && !words.contains(value.get())) {
            throw new UsageException(
                    option
                            + " is one of "
                            + String.join(", ", words)
                            + ", not \""
                            + value.get()
                            + "\""
                            + Nearest.of(value.get(), words)
                                    .map(near -> "; did you mean " + near + "?")
                                    .orElse(""));
        }
        return value;
    }
}
