package io.margay.app.config;

import io.margay.app.yaml.Problem;
import java.util.List;
import java.util.stream.Collectors;

/// A configuration file is wrong; the message has one line per problem.
public final class ConfigException extends StartException {
    private static final long serialVersionUID = 1L;

    private final transient List<Problem> problems;

    public ConfigException(List<Problem> problems) {
        super(problems.stream().map(Problem::toString).collect(Collectors.joining("\n")));
        this.problems = List.copyOf(problems);
    }

    /// Everything that is wrong, in the order of the file.
    public List<Problem> problems() {
        return problems;
    }
}
