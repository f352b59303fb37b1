package io.margay.app.tidy;

/// One place that breaks a rule. `line` counts from 1; 0 means the file as a whole.
record Violation(String path, int line, String text) {
    @Override
    public String toString() {
        return path + ":" + line + ": " + text;
    }
}
