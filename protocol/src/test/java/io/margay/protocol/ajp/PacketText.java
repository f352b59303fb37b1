package io.margay.protocol.ajp;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;

/// AJP13 packets as readable text.
///
/// ```
/// 12 A00B     octets
/// #80         a number of two octets
/// "GET"       a string: length, octets, NUL
/// 'abc'       octets as they are
/// x*8192      so many octets 'x'
/// null        no string
/// in( … )     a packet to the container, out( … ) one to the front end, with their lengths
/// ```
final class PacketText {
    private final String text;
    private int at;
    private final Deque<ByteArrayOutputStream> open = new ArrayDeque<>();

    private PacketText(String text) {
        this.text = text;
    }

    static byte[] assemble(byte[] text) {
        return assemble(new String(text, StandardCharsets.ISO_8859_1));
    }

    static byte[] assemble(String text) {
        return new PacketText(text).assemble();
    }

    private byte[] assemble() {
        open.push(new ByteArrayOutputStream());
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c == ' ') {
                at++;
            } else if (c == '"' || c == '\'') {
                quoted(c);
            } else if (c == ')') {
                at++;
                closePacket();
            } else {
                word();
            }
        }
        if (open.size() != 1) {
            throw new IllegalArgumentException("a packet is not closed: " + text);
        }
        return open.pop().toByteArray();
    }

    private void quoted(char quote) {
        int end = text.indexOf(quote, at + 1);
        byte[] octets = text.substring(at + 1, end).getBytes(StandardCharsets.ISO_8859_1);
        at = end + 1;
        if (quote == '"') {
            number(octets.length);
        }
        put(octets);
        if (quote == '"') {
            put(new byte[1]);
        }
    }

    private void word() {
        int end = at;
        while (end < text.length() && " )".indexOf(text.charAt(end)) < 0) {
            end++;
        }
        String word = text.substring(at, end);
        at = end;
        if (word.equals("in(") || word.equals("out(")) {
            ByteArrayOutputStream packet = new ByteArrayOutputStream();
            open.push(packet);
            number(word.equals("in(") ? Ajp.TO_CONTAINER : Ajp.TO_FRONT_END);
        } else if (word.equals("null")) {
            number(Ajp.NULL_STRING);
        } else if (word.startsWith("#")) {
            number(Integer.parseInt(word.substring(1)));
        } else if (word.startsWith("x*")) {
            put("x".repeat(Integer.parseInt(word.substring(2))).getBytes(StandardCharsets.UTF_8));
        } else {
            for (int i = 0; i < word.length(); i += 2) {
                open.element().write(Integer.parseInt(word.substring(i, i + 2), 16));
            }
        }
    }

    private void closePacket() {
        byte[] packet = open.pop().toByteArray();
        put(new byte[] {packet[0], packet[1]});
        number(packet.length - 2);
        open.element().write(packet, 2, packet.length - 2);
    }

    private void number(int value) {
        open.element().write(value >> 8);
        open.element().write(value);
    }

    private void put(byte[] octets) {
        open.element().write(octets, 0, octets.length);
    }
}
