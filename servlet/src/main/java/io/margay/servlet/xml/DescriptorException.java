package io.margay.servlet.xml;

import java.util.List;

/// What an application declares is wrong: each problem says file, line, column, element and remedy.
public final class DescriptorException extends RuntimeException {
    private final List<String> problems;

    public DescriptorException(List<String> problems) {
        super(String.join(System.lineSeparator(), problems));
        this.problems = List.copyOf(problems);
    }

    /// One line for each problem, in order of discovery.
    public List<String> problems() {
        return problems;
    }
}
