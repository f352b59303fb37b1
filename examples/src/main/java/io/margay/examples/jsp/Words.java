package io.margay.examples.jsp;

/// The EL function `example:reversed`. Stateless.
public final class Words {
    private Words() {}

    /// The text's characters from last to first.
    public static String reversed(String text) {
        return new StringBuilder(text).reverse().toString();
    }
}
