package io.margay.gateway.status;

/// Numbers in parameters. Stateless.
final class Numbers {
    private static final int DIGITS_MAX = 9;

    private Numbers() {}

    /// A decimal number, or `otherwise` when the text is none.
    static int parse(String text, int otherwise) {
        if (text.isEmpty() || text.length() > DIGITS_MAX) {
            return otherwise;
        }
        int value = 0;
        for (int i = 0; i < text.length(); i++) {
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return otherwise;
            }
            value = value * 10 + digit;
        }
        return value;
    }

    /// The same with a fraction, such as `1.5`.
    static double parseDecimal(String text, double otherwise) {
        int dot = text.indexOf('.');
        if (dot < 0) {
            return parse(text, -1) < 0 ? otherwise : parse(text, -1);
        }
        String fraction = text.substring(dot + 1);
        int whole = dot == 0 ? 0 : parse(text.substring(0, dot), -1);
        int part = fraction.isEmpty() ? 0 : parse(fraction, -1);
        return whole < 0 || part < 0 ? otherwise : whole + part / Math.pow(10, fraction.length());
    }
}
