package io.margay.protocol.fields;

/// The Huffman code of HPACK and QPACK (RFC 7541 Appendix B, RFC 9204 §4.1.2). Immutable; the
/// tables must not be written.
///
/// The code is canonical, so that the length of each symbol's code is all there is to know: codes
/// of one length follow each other in the order of their symbols, and shorter codes come first.
public final class HuffmanCode {
    /// The length of each octet's code in bits, `a` for 5 up to `z` for 30.
    private static final String LENGTHS =
            "isxxxxxxxtzxxzxxxxxxxxzxxxxxxxxxbffhibdgffdgdbbbaaabbbbbbbcdkbhf"
                    + "ibccccccccccccccccccccccdcdioijbkabababbbaccbbbabcbaabccccckgjix"
                    + "prpprrrsrssssststtrstssssqrsrsstrqprrssqsrrtqrssqqrqsrssprrrsrrs"
                    + "vvporsruvvvwwvtuoqvwwvwtqqvvxwwwptpqrqqsrruuttvsvwvvwwwwwxwwwwwv";

    private static final int SYMBOLS = 256;
    private static final int BITS_MAX = 30;
    private static final int ENTRIES = 256;

    /// An entry of [#TABLES] that leads to another table, whose number is in the low bits.
    private static final int POINTER = 1 << 30;

    private static final int[] BITS = new int[SYMBOLS];
    private static final int[] CODES = new int[SYMBOLS];

    /// Tables of 256 entries each, looked up with eight bits of input. An entry is a symbol with
    /// the bits it takes of these eight, `length << 8 | symbol`; or a pointer; or 0, which only the
    /// code of EOS leads to.
    private static final int[] TABLES;

    static {
        int code = 0;
        for (int bits = 5; bits <= BITS_MAX; bits++) {
            for (int symbol = 0; symbol < SYMBOLS; symbol++) {
                if (LENGTHS.charAt(symbol) - 'a' + 5 == bits) {
                    BITS[symbol] = bits;
                    CODES[symbol] = code++;
                }
            }
            code <<= 1;
        }
        TABLES = tables();
    }

    private HuffmanCode() {}

    private static int[] tables() {
        int[] tables = new int[ENTRIES];
        for (int symbol = 0; symbol < SYMBOLS; symbol++) {
            int base = 0;
            int left = BITS[symbol];
            int code = CODES[symbol];
            while (left > 8) {
                int at = base + ((code >>> (left - 8)) & 0xff);
                if (tables[at] == 0) {
                    tables[at] = POINTER | (tables.length / ENTRIES);
                    tables = java.util.Arrays.copyOf(tables, tables.length + ENTRIES);
                }
                base = (tables[at] & ~POINTER) * ENTRIES;
                left -= 8;
            }
            int first = (code << (8 - left)) & 0xff;
            for (int i = 0; i < 1 << (8 - left); i++) {
                tables[base + first + i] = (left << 8) | symbol;
            }
        }
        return tables;
    }

    /// Octets of room that [#decode] needs for so many encoded ones.
    public static int decodedMax(int encodedBytes) {
        return encodedBytes * 8 / 5 + 1;
    }

    /// Decodes `bytes[from,to)` into `target`, which has room for [#decodedMax].
    ///
    /// @return octets decoded, or -1 when it is no proper encoding: EOS occurs, or what pads the
    ///   last octet is longer than seven bits or not all ones (RFC 7541 §5.2)
    public static int decode(byte[] bytes, int from, int to, byte[] target) {
        int out = 0;
        long window = 0;
        int bits = 0;
        int sinceSymbol = 0;
        int base = 0;
        for (int p = from; p < to; p++) {
            window = (window << 8) | (bytes[p] & 0xff);
            bits += 8;
            sinceSymbol += 8;
            while (bits >= 8) {
                int entry = TABLES[base + (int) ((window >>> (bits - 8)) & 0xff)];
                if ((entry & POINTER) != 0) {
                    base = (entry & ~POINTER) * ENTRIES;
                    bits -= 8;
                } else if (entry == 0) {
                    return -1;
                } else {
                    target[out++] = (byte) entry;
                    bits -= entry >> 8;
                    sinceSymbol = bits;
                    base = 0;
                }
            }
        }
        while (bits > 0) {
            int entry = TABLES[base + (int) ((window << (8 - bits)) & 0xff)];
            if ((entry & POINTER) != 0 || entry == 0 || entry >> 8 > bits) {
                break;
            }
            target[out++] = (byte) entry;
            bits -= entry >> 8;
            sinceSymbol = bits;
            base = 0;
        }
        long padding = (1L << bits) - 1;
        return sinceSymbol > 7 || (window & padding) != padding ? -1 : out;
    }

    /// Octets that the text takes when encoded. Characters are octets.
    public static int encodedBytes(String text) {
        long bits = 0;
        for (int i = 0; i < text.length(); i++) {
            bits += BITS[text.charAt(i) & 0xff];
        }
        return (int) ((bits + 7) >> 3);
    }

    /// Encodes a text of octets into `target` from `at` on, which has room for [#encodedBytes].
    public static void encode(String text, byte[] target, int at) {
        long window = 0;
        int bits = 0;
        int to = at;
        for (int i = 0; i < text.length(); i++) {
            int symbol = text.charAt(i) & 0xff;
            window = (window << BITS[symbol]) | CODES[symbol];
            bits += BITS[symbol];
            while (bits >= 8) {
                bits -= 8;
                target[to++] = (byte) (window >>> bits);
            }
        }
        if (bits > 0) {
            target[to] = (byte) ((window << (8 - bits)) | ((1 << (8 - bits)) - 1));
        }
    }
}
