package io.margay.protocol.signature;

import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Reads `Signature-Input` and `Signature`: dictionaries of structured fields (RFC 8941) whose
/// members are lists of strings with parameters, and byte sequences. Confined to one reading.
final class SignatureFields {
    private static final int MEMBERS_MAX = 4;
    private static final int ITEMS_MAX = 32;
    private static final int CHARS_MAX = 8192;

    private final String text;
    private int at;

    private SignatureFields(String text) {
        this.text = text;
    }

    /// What does not fit the grammar, or is too much.
    static final class Malformed extends Exception {
        private static final long serialVersionUID = 1;

        Malformed(String message) {
            super(message, null, false, false);
        }
    }

    /// A covered component with its parameters.
    ///
    /// @param text as it is written
    record Item(String name, Map<String, Object> parameters, String text) {}

    /// A member of `Signature-Input`.
    ///
    /// @param parameters texts, numbers (`Long`) and flags
    /// @param text list and parameters as they are written
    record Input(List<Item> items, Map<String, Object> parameters, String text) {}

    /// The members of `Signature-Input`.
    static Map<String, Input> inputs(String field) throws Malformed {
        SignatureFields reading = of(field);
        Map<String, Input> all = new LinkedHashMap<>();
        while (true) {
            String label = reading.key();
            reading.expect('=');
            if (all.putIfAbsent(label, reading.input()) != null || all.size() > MEMBERS_MAX) {
                throw new Malformed("labels of signatures");
            }
            if (!reading.another()) {
                return all;
            }
        }
    }

    /// The members of `Signature`.
    static Map<String, byte[]> signatures(String field) throws Malformed {
        SignatureFields reading = of(field);
        Map<String, byte[]> all = new LinkedHashMap<>();
        while (true) {
            String label = reading.key();
            reading.expect('=');
            if (all.putIfAbsent(label, reading.bytes()) != null || all.size() > MEMBERS_MAX) {
                throw new Malformed("labels of signatures");
            }
            if (!reading.another()) {
                return all;
            }
        }
    }

    /// A text of a field that is one string, or the strings of a dictionary.
    static List<String> texts(String field) throws Malformed {
        SignatureFields reading = of(field);
        List<String> all = new ArrayList<>();
        while (true) {
            if (reading.peek() != '"') {
                String _ = reading.key();
                reading.expect('=');
            }
            all.add(reading.string());
            Map<String, Object> _ = reading.parameters();
            if (!reading.another()) {
                return all;
            }
            if (all.size() >= MEMBERS_MAX) {
                throw new Malformed("too many texts");
            }
        }
    }

    private static SignatureFields of(String field) throws Malformed {
        if (field.length() > CHARS_MAX) {
            throw new Malformed("a field is too long");
        }
        return new SignatureFields(field.strip());
    }

    private char peek() {
        return at < text.length() ? text.charAt(at) : '\0';
    }

    private void expect(char c) throws Malformed {
        if (peek() != c) {
            throw new Malformed("\"" + c + "\" is missing");
        }
        at++;
    }

    private void spaces() {
        while (peek() == ' ' || peek() == '\t') {
            at++;
        }
    }

    /// Whether there is one more member.
    private boolean another() throws Malformed {
        spaces();
        if (at == text.length()) {
            return false;
        }
        expect(',');
        spaces();
        return true;
    }

    private Input input() throws Malformed {
        int begin = at;
        List<Item> items = new ArrayList<>();
        expect('(');
        spaces();
        while (peek() != ')') {
            int start = at;
            String name = string();
            Map<String, Object> parameters = parameters();
            items.add(new Item(name, parameters, text.substring(start, at)));
            if (items.size() > ITEMS_MAX || (peek() != ' ' && peek() != ')')) {
                throw new Malformed("covered components");
            }
            spaces();
        }
        at++;
        Map<String, Object> parameters = parameters();
        return new Input(items, parameters, text.substring(begin, at));
    }

    private Map<String, Object> parameters() throws Malformed {
        Map<String, Object> all = new LinkedHashMap<>();
        while (peek() == ';') {
            at++;
            spaces();
            String name = key();
            Object value = true;
            if (peek() == '=') {
                at++;
                value = value();
            }
            if (all.putIfAbsent(name, value) != null || all.size() > ITEMS_MAX) {
                throw new Malformed("parameters");
            }
        }
        return all;
    }

    private String key() throws Malformed {
        int begin = at;
        while (isKey(peek(), at == begin)) {
            at++;
        }
        if (at == begin) {
            throw new Malformed("a name is missing");
        }
        return text.substring(begin, at);
    }

    private static boolean isKey(char c, boolean first) {
        boolean letter = (c >= 'a' && c <= 'z') || c == '*';
        return letter || (!first && ((c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.'));
    }

    private Object value() throws Malformed {
        char c = peek();
        if (c == '"') {
            return string();
        }
        if (c == '?') {
            at++;
            boolean yes = peek() == '1';
            if (!yes && peek() != '0') {
                throw new Malformed("a flag");
            }
            at++;
            return yes;
        }
        return c == ':' ? bytes() : number();
    }

    private Long number() throws Malformed {
        int begin = at;
        if (peek() == '-') {
            at++;
        }
        while (peek() >= '0' && peek() <= '9') {
            at++;
        }
        int digits = at - begin;
        if (digits == 0 || digits > 15 || text.charAt(at - 1) == '-') {
            throw new Malformed("a number");
        }
        return Long.parseLong(text, begin, at, 10);
    }

    private String string() throws Malformed {
        expect('"');
        StringBuilder made = new StringBuilder();
        while (peek() != '"') {
            char c = peek();
            if (c == '\\') {
                at++;
                c = peek();
                if (c != '"' && c != '\\') {
                    throw new Malformed("a text");
                }
            } else if (c < ' ' || c > '~') {
                throw new Malformed("a text");
            }
            made.append(c);
            at++;
        }
        at++;
        return made.toString();
    }

    private byte[] bytes() throws Malformed {
        expect(':');
        int end = text.indexOf(':', at);
        if (end < 0) {
            throw new Malformed("bytes");
        }
        try {
            byte[] read = Base64.getDecoder().decode(text.substring(at, end));
            at = end + 1;
            return read;
        } catch (IllegalArgumentException e) {
            throw new Malformed("bytes");
        }
    }
}
