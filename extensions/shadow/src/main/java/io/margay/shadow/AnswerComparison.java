package io.margay.shadow;

import io.margay.gateway.mirror.CompareConfig;
import io.margay.gateway.mirror.SeenAnswer;
import io.margay.gateway.mirror.ShadowLimits;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.parser.Parser;
import org.jspecify.annotations.Nullable;

/// Compares two answers to one request. Immutable.
final class AnswerComparison {
    private static final String CHARSET = "charset=";

    /// Statuses of clients' and servers' errors.
    private static final int ERRORS_FROM = 400;

    /// Bytes of a compressed answer, decompressed; more is not compared.
    private static final int DECODED_BYTES_MAX = 1 << 21;

    private final FieldComparison fields;
    private final ShadowLimits limits;
    private final Shown shown;

    AnswerComparison(CompareConfig config, ShadowLimits limits) {
        fields = new FieldComparison(config);
        this.limits = limits;
        shown = new Shown(limits.excerptCharsMax());
    }

    /// What was found.
    ///
    /// @param whole whether the content could be looked at
    record Result(List<Difference> differences, boolean whole) {}

    /// The differences; where the statuses differ, that alone: all else follows from it.
    ///
    /// @param method of the request
    Result compare(String method, SeenAnswer old, SeenAnswer fresh) {
        return compare(method, old, fresh, OwnValues.NONE);
    }

    /// The same of answers with values that are each server's own.
    Result compare(String method, SeenAnswer old, SeenAnswer fresh, OwnValues own) {
        Found found = new Found(shown, limits.differencesMax());
        if (old.status() == 0 || fresh.status() == 0) {
            if (old.status() != fresh.status()) {
                found.add(Kind.NO_ANSWER, "", status(old), status(fresh));
            }
            return new Result(found.all(), true);
        }
        if (old.status() != fresh.status()) {
            String place = old.status() + " → " + fresh.status();
            found.add(Kind.STATUS, place, status(old), status(fresh));
            return new Result(found.all(), true);
        }
        fields.compare(old.fields(), fresh.fields(), found);
        CookieComparison.compare(old.fields(), fresh.fields(), found);
        boolean whole = method.equals("HEAD") || content(old, fresh, own, found);
        return new Result(found.all(), whole);
    }

    private static String status(SeenAnswer answer) {
        return answer.status() == 0 ? "no answer" : String.valueOf(answer.status());
    }

    // Content

    /// @return whether it could be looked at
    private boolean content(SeenAnswer old, SeenAnswer fresh, OwnValues own, Found found) {
        if (old.content().whole() != fresh.content().whole()) {
            found.add(Kind.CUT, "", length(old), length(fresh));
            return true;
        }
        if (old.content().isSame(fresh.content()) && coding(old).equals(coding(fresh))) {
            return true;
        }
        byte[] left;
        try {
            left = Decoded.content(old, DECODED_BYTES_MAX);
        } catch (IOException e) {
            return false; // What clients get cannot be read, either.
        }
        try {
            byte[] right = Decoded.content(fresh, DECODED_BYTES_MAX);
            if (left == null || right == null) {
                return false;
            }
            boolean text = type(old).startsWith("text/");
            decoded(own.ofOld(left, text), own.ofFresh(right, text), old, fresh, found);
        } catch (IOException e) {
            found.add(Kind.FORM, "", coding(old), "cannot be decompressed: " + coding(fresh));
        }
        return true;
    }

    private static String length(SeenAnswer answer) {
        String whole = answer.content().whole() ? " bytes" : " bytes, then it broke off";
        return answer.content().length() + whole;
    }

    private static String coding(SeenAnswer answer) {
        String coding = answer.fields().get("Content-Encoding");
        return coding == null ? "" : coding;
    }

    private void decoded(byte[] left, byte[] right, SeenAnswer old, SeenAnswer fresh, Found found) {
        String type = type(old);
        if (left.length == 0 || right.length == 0) {
            if (left.length != right.length) {
                found.add(Kind.FORM, "", left.length + " bytes", right.length + " bytes");
            }
        } else if (isHtml(type) && isError(old)) {
            errorPage(left, right, old, fresh, found);
        } else if (isHtml(type)) {
            tree(left, right, old, fresh, Parser.htmlParser(), found);
        } else if (type.endsWith("/xml") || type.endsWith("+xml")) {
            tree(left, right, old, fresh, Parser.xmlParser(), found);
        } else if (type.endsWith("/json") || type.endsWith("+json")) {
            JsonComparison.compare(left, right, found);
        } else if (type.startsWith("text/") || type.endsWith("javascript")) {
            Charset charset = charset(old);
            BytesComparison.compareText(
                    left, right, charset == null ? StandardCharsets.UTF_8 : charset, found);
        } else {
            BytesComparison.compare(left, right, found);
        }
    }

    static boolean isError(SeenAnswer answer) {
        return answer.status() >= ERRORS_FROM;
    }

    /// Servers have pages of their own, which have nothing in common.
    private void errorPage(
            byte[] left, byte[] right, SeenAnswer old, SeenAnswer fresh, Found found) {
        Found inside = new Found(shown, limits.differencesMax());
        tree(left, right, old, fresh, Parser.htmlParser(), inside);
        inside.all().stream()
                .sorted(Comparator.comparing(one -> one.kind() != Kind.CHANGED))
                .forEach(one -> found.add(one.inErrorPage()));
    }

    private static void tree(
            byte[] left,
            byte[] right,
            SeenAnswer old,
            SeenAnswer fresh,
            Parser parser,
            Found found) {
        try {
            TreeComparison.compare(
                    parsed(left, old, parser.newInstance()),
                    parsed(right, fresh, parser.newInstance()),
                    found);
        } catch (IOException e) {
            BytesComparison.compare(left, right, found);
        }
    }

    private static Document parsed(byte[] bytes, SeenAnswer answer, Parser parser)
            throws IOException {
        Charset charset = charset(answer);
        return Jsoup.parse(
                new ByteArrayInputStream(bytes),
                charset == null ? null : charset.name(),
                "",
                parser);
    }

    private static boolean isHtml(String type) {
        return type.equals("text/html") || type.equals("application/xhtml+xml");
    }

    private static String type(SeenAnswer answer) {
        String said = answer.fields().get("Content-Type");
        if (said == null) {
            return "";
        }
        int semicolon = said.indexOf(';');
        String type = semicolon < 0 ? said : said.substring(0, semicolon);
        return type.strip().toLowerCase(Locale.ROOT);
    }

    /// What the answer says; null = nothing that is known here, so that the content says it.
    private static @Nullable Charset charset(SeenAnswer answer) {
        String said = answer.fields().get("Content-Type");
        int at = said == null ? -1 : said.toLowerCase(Locale.ROOT).indexOf(CHARSET);
        if (said == null || at < 0) {
            return null;
        }
        String name = said.substring(at + CHARSET.length()).split(";", 2)[0].replace("\"", "");
        try {
            return Charset.forName(name.strip());
        } catch (IllegalCharsetNameException | UnsupportedCharsetException e) {
            return null;
        }
    }
}
