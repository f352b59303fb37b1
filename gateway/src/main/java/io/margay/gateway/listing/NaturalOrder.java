package io.margay.gateway.listing;

/// Compares texts so that numbers in them count as numbers: `a9` comes before `a10`. Stateless.
final class NaturalOrder {
    private NaturalOrder() {}

    static int compare(String one, String other, boolean anyCase) {
        int i = 0;
        int j = 0;
        while (true) {
            i = skipBlanks(one, i);
            j = skipBlanks(other, j);
            char a = i < one.length() ? one.charAt(i) : 0;
            char b = j < other.length() ? other.charAt(j) : 0;
            if (isDigit(a) && isDigit(b)) {
                int result =
                        a == '0' || b == '0'
                                ? fractions(one, i, other, j)
                                : numbers(one, i, other, j);
                if (result != 0) {
                    return result;
                }
            }
            if (a == 0 && b == 0) {
                return 0;
            }
            char x = anyCase ? Character.toUpperCase(a) : a;
            char y = anyCase ? Character.toUpperCase(b) : b;
            if (x != y) {
                return x < y ? -1 : 1;
            }
            i++;
            j++;
        }
    }

    private static int skipBlanks(String text, int from) {
        int i = from;
        while (i < text.length() && Character.isWhitespace(text.charAt(i))) {
            i++;
        }
        return i;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static char digit(String text, int at) {
        char c = at < text.length() ? text.charAt(at) : 0;
        return isDigit(c) ? c : 0;
    }

    /// The longer number is larger; of two with as many digits the first that differs counts.
    private static int numbers(String one, int from, String other, int start) {
        int bias = 0;
        for (int k = 0; ; k++) {
            char a = digit(one, from + k);
            char b = digit(other, start + k);
            if (a == 0 || b == 0) {
                return a != 0 ? 1 : b != 0 ? -1 : bias;
            }
            if (bias == 0 && a != b) {
                bias = a < b ? -1 : 1;
            }
        }
    }

    /// Those that begin with a zero are compared digit by digit.
    private static int fractions(String one, int from, String other, int start) {
        for (int k = 0; ; k++) {
            char a = digit(one, from + k);
            char b = digit(other, start + k);
            if (a != b) {
                return a < b ? -1 : 1;
            }
            if (a == 0) {
                return 0;
            }
        }
    }
}
