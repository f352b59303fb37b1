package io.margay.protocol.http;

/// The `Accept-Encoding` field (RFC 9110 §12.5.3).
public final class AcceptEncoding {
    /// The quality value of 1 in thousandths.
    public static final int QUALITY_MAX = 1000;

    private AcceptEncoding() {}

    /// How much a client wants a content coding, in thousandths; 0 when it does not accept it.
    ///
    /// Without the field only `identity` is accepted: the RFC allows any coding then, but such
    /// clients seldom decode one.
    public static int quality(Fields fields, String coding) {
        boolean identity = Octets.equalsIgnoreCase(coding, "identity");
        int named = named(fields, coding);
        if (named >= 0) {
            return named;
        }
        int any = named(fields, "*");
        return any >= 0 ? any : identity ? QUALITY_MAX : 0;
    }

    /// What the field says of a coding by name, in thousandths; negative when it does not name it.
    public static int named(Fields fields, String coding) {
        int named = -1;
        for (String value : fields.all("accept-encoding")) {
            for (String member : value.split(",", -1)) {
                int semicolon = member.indexOf(';');
                String name = (semicolon < 0 ? member : member.substring(0, semicolon)).strip();
                int quality = semicolon < 0 ? QUALITY_MAX : weight(member.substring(semicolon + 1));
                if (Octets.equalsIgnoreCase(name, coding)) {
                    named = Math.max(named, quality);
                }
            }
        }
        return named;
    }

    /// A `q=0.5` in thousandths (RFC 9110 §12.4.2); 0 when it is malformed.
    private static int weight(String parameter) {
        String text = parameter.strip();
        if (text.length() < 3 || text.length() > 7 || (text.charAt(0) | 32) != 'q') {
            return 0;
        }
        boolean point = text.length() == 3 || text.charAt(3) == '.';
        if (text.charAt(1) != '=' || !point || text.charAt(2) < '0' || text.charAt(2) > '1') {
            return 0;
        }
        int value = (text.charAt(2) - '0') * QUALITY_MAX;
        int unit = QUALITY_MAX / 10;
        for (int i = 4; i < text.length(); i++) {
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return 0;
            }
            value += digit * unit;
            unit /= 10;
        }
        return value <= QUALITY_MAX ? value : 0;
    }
}
