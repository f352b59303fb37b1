package io.margay.protocol.http;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// Classes of octets that HTTP's grammars name, as lookup tables (RFC 9110 §5.6, RFC 3986).
///
/// Immutable; the tables must not be written. Index with `b & 0xff`.
public final class Octets {
    private static final String ALPHANUMERIC =
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    private static final String UNRESERVED = ALPHANUMERIC + "-._~";

    /// `tchar` (RFC 9110 §5.6.2): what methods and field names are made of.
    private static final boolean[] TOKEN = table(ALPHANUMERIC + "!#$%&'*+-.^_`|~");

    /// Octets of a field value, white space included: HTAB, SP, VCHAR, obs-text (RFC 9110 §5.5).
    private static final boolean[] FIELD_VALUE = fieldValue();

    /// Octets of a request target but for the fragment's `#` (RFC 3986 §3.3, §3.4).
    private static final boolean[] TARGET = table(UNRESERVED + "!$&'()*+,;=:@/?%[]");

    /// Octets of a host name: RFC 3986's `unreserved`.
    private static final boolean[] UNRESERVED_TABLE = table(UNRESERVED);

    private static final long MAX_BEFORE_DIGIT = Long.MAX_VALUE / 10;

    private static final VarHandle EIGHT =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());
    private static final long ONES = 0x0101_0101_0101_0101L;
    private static final long SPACES = 0x2020_2020_2020_2020L;
    private static final long DELS = 0x7f7f_7f7f_7f7f_7f7fL;
    private static final long HIGH_BITS = 0x8080_8080_8080_8080L;

    private Octets() {}

    /// Skips most of a run of octets that need no second look in a field value: eight at a time
    /// while none of them is a control character.
    ///
    /// @return an offset within the run or at its end
    public static int skipPrintable(byte[] bytes, int from, int to) {
        int p = from;
        while (p + Long.BYTES <= to) {
            long word = (long) EIGHT.get(bytes, p);
            // The high bit of a byte is set in these where the byte is below 0x20, or is 0x7f.
            long below = (word - SPACES) & ~word;
            long flipped = word ^ DELS;
            long del = (flipped - ONES) & ~flipped;
            if (((below | del) & HIGH_BITS) != 0) {
                break;
            }
            p += Long.BYTES;
        }
        return p;
    }

    /// Whether the octet may stand in a token.
    public static boolean isToken(byte octet) {
        return TOKEN[octet & 0xff];
    }

    /// Whether the octet may stand in a field value.
    public static boolean isFieldValue(byte octet) {
        return FIELD_VALUE[octet & 0xff];
    }

    /// Whether the octet may stand in a request target.
    public static boolean isTarget(byte octet) {
        return TARGET[octet & 0xff];
    }

    /// Whether the octet is a letter, a digit, or one of `-._~`.
    public static boolean isUnreserved(byte octet) {
        return UNRESERVED_TABLE[octet & 0xff];
    }

    /// Whether the octet is `0` to `9`.
    public static boolean isDigit(byte octet) {
        return octet >= '0' && octet <= '9';
    }

    /// The number that digits alone spell in `bytes[from,to)`; -1 for anything else, and for more
    /// than a `long` holds.
    public static long decimal(byte[] bytes, int from, int to) {
        if (from == to) {
            return -1;
        }
        long value = 0;
        for (int i = from; i < to; i++) {
            int digit = bytes[i] - '0';
            if (digit < 0
                    || digit > 9
                    || value > MAX_BEFORE_DIGIT
                    || value * 10 > Long.MAX_VALUE - digit) {
                return -1;
            }
            value = value * 10 + digit;
        }
        return value;
    }

    /// The value of a hexadecimal digit, or -1.
    public static int hexValue(int octet) {
        if (octet >= '0' && octet <= '9') {
            return octet - '0';
        }
        int lower = octet | 0x20;
        return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
    }

    /// The lower-case form of an ASCII letter; any other octet itself.
    public static int lower(int octet) {
        return octet >= 'A' && octet <= 'Z' ? octet + 32 : octet;
    }

    /// Whether every character of a text may stand in a token, and there is at least one.
    public static boolean isToken(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c > 127 || !TOKEN[c]) {
                return false;
            }
        }
        return !text.isEmpty();
    }

    /// Whether `bytes[from,to)` spells `lowerCase`, which has no upper-case letter, without regard
    /// to case.
    public static boolean equalsIgnoreCase(byte[] bytes, int from, int to, String lowerCase) {
        if (to - from != lowerCase.length()) {
            return false;
        }
        for (int i = 0; i < lowerCase.length(); i++) {
            if (lower(bytes[from + i] & 0xff) != lowerCase.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /// Whether two ASCII texts are equal without regard to case.
    public static boolean equalsIgnoreCase(String a, String b) {
        if (a.length() != b.length()) {
            return false;
        }
        for (int i = 0; i < a.length(); i++) {
            if (lower(a.charAt(i)) != lower(b.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean[] table(String members) {
        boolean[] table = new boolean[256];
        for (int i = 0; i < members.length(); i++) {
            table[members.charAt(i)] = true;
        }
        return table;
    }

    private static boolean[] fieldValue() {
        boolean[] table = new boolean[256];
        for (int octet = ' '; octet < 256; octet++) {
            table[octet] = octet != 0x7f;
        }
        table['\t'] = true;
        return table;
    }
}
