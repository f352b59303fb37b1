package io.margay.protocol.fastcgi;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/// FastCGI records as readable text.
///
/// ```
/// 00 A1       octets
/// 'abc'       octets as they are
/// x*8192      so many octets 'x'
/// 6( … )      a record of type 6 with its length; 6( … )+5 has five octets of padding
/// 6/9( … )    a record of request 9
/// ```
final class RecordText {
    private final String text;
    private int at;
    private final ByteArrayOutputStream octets = new ByteArrayOutputStream();

    private RecordText(String text) {
        this.text = text;
    }

    static byte[] assemble(byte[] text) {
        return assemble(new String(text, StandardCharsets.ISO_8859_1));
    }

    static byte[] assemble(String text) {
        RecordText records = new RecordText(text);
        records.sequence(records.octets);
        return records.octets.toByteArray();
    }

    private void sequence(ByteArrayOutputStream to) {
        while (at < text.length() && text.charAt(at) != ')') {
            char c = text.charAt(at);
            if (c == ' ' || c == '\n' || c == '\r') {
                at++;
            } else if (c == '\'') {
                int end = text.indexOf('\'', at + 1);
                to.writeBytes(text.substring(at + 1, end).getBytes(StandardCharsets.ISO_8859_1));
                at = end + 1;
            } else {
                word(to);
            }
        }
    }

    private void word(ByteArrayOutputStream to) {
        int end = at;
        while (end < text.length() && " ()\r\n".indexOf(text.charAt(end)) < 0) {
            end++;
        }
        String word = text.substring(at, end);
        at = end;
        if (at < text.length() && text.charAt(at) == '(') {
            record(word, to);
        } else if (word.charAt(1) == '*') {
            to.writeBytes(
                    word.substring(0, 1)
                            .repeat(Integer.parseInt(word.substring(2)))
                            .getBytes(StandardCharsets.ISO_8859_1));
        } else {
            for (int i = 0; i < word.length(); i += 2) {
                to.write(Integer.parseInt(word, i, i + 2, 16));
            }
        }
    }

    private void record(String word, ByteArrayOutputStream to) {
        int slash = word.indexOf('/');
        int type = Integer.parseInt(slash < 0 ? word : word.substring(0, slash));
        int id = slash < 0 ? 1 : Integer.parseInt(word.substring(slash + 1));
        at++;
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        sequence(content);
        at++;
        int padding = 0;
        if (at < text.length() && text.charAt(at) == '+') {
            int end = at + 1;
            while (end < text.length() && Character.isDigit(text.charAt(end))) {
                end++;
            }
            padding = Integer.parseInt(text.substring(at + 1, end));
            at = end;
        }
        to.write(1);
        to.write(type);
        to.write(id >> 8);
        to.write(id);
        to.write(content.size() >> 8);
        to.write(content.size());
        to.write(padding);
        to.write(0);
        to.writeBytes(content.toByteArray());
        to.writeBytes(new byte[padding]);
    }
}
