package io.margay.shadow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.gateway.mirror.CompareConfig;
import io.margay.gateway.mirror.ShadowLimits;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// Faults of a new server that are seeded one by one: each is found, and by its own cause. What is
/// said in another way only is none.
final class SeededFaultsTest {
    private static final Answers PAGE =
            Answers.of(
                    200,
                    """
                    Content-Type: text/html;charset=UTF-8
                    Cache-Control: private, max-age=60
                    Vary: Accept-Encoding, Cookie
                    X-Frame-Options: DENY
                    Content-Language: de
                    Set-Cookie: JSESSIONID=A1; Path=/shop; HttpOnly; Secure; SameSite=Lax
                    Set-Cookie: lang=de; Max-Age=3600; Path=/\
                    """,
                    """
                    <!DOCTYPE html><html lang="de"><head><title>Käse</title>
                    <link rel="stylesheet" href="/a.css">
                    <script>var csrfToken = "a1b2";</script></head>
                    <body class="x y"><h1 id="top">Käse &amp; Brot</h1>
                    <ul><li>eins</li><li>zwei</li><li>drei</li></ul>
                    <form action="/order" method="post">
                    <input type="hidden" name="_csrf" value="r4nd0m">
                    <input name="amount" value="3">
                    <select name="size"><option>S<option>L</select></form>
                    <a href="/next?page=2">weiter</a><p>Summe: 12,50</p></body></html>
                    """);

    private static final Answers DATA =
            Answers.json(
                    """
                    {"id": 7, "name": "Käse", "price": 12.5, "tags": ["a", "b", "c"],
                     "stock": null, "token": "t1", "maker": {"name": "Huber", "active": true}}
                    """);

    private static final Answers IMAGE =
            Answers.of(200, "Content-Type: image/png", "\u0001PNG and more of it\u0002");

    private static final Answers SHEET =
            Answers.of(200, "Content-Type: text/css", "a{color:red}\nb{color:blue}\n");

    private static final Answers MOVED = Answers.of(302, "Location: /login?from=%2F", "");

    private final AnswerComparison comparison =
            new AnswerComparison(CompareConfig.defaults(), ShadowLimits.defaults());

    /// Cause by name of the fault.
    private final Map<String, String> wrong = new TreeMap<>();

    private int faults;

    private List<Difference> found(Answers old, Answers fresh) {
        return comparison.compare("GET", old.seen(), fresh.seen()).differences();
    }

    private void fault(String cause, Answers old, Answers fresh) {
        faults++;
        List<String> causes = found(old, fresh).stream().map(Difference::cause).toList();
        if (!causes.equals(List.of(cause))) {
            wrong.put(faults + " " + cause, new TreeSet<>(causes).toString());
        }
    }

    private static Answers page(String from, String to) {
        assertTrue(new String(PAGE.content(), StandardCharsets.UTF_8).contains(from), from);
        return PAGE.withText(text -> text.replace(from, to));
    }

    private static Answers fields(String from, String to) {
        assertTrue(PAGE.fields().contains(from), from);
        return PAGE.withFields(text -> text.replace(from, to));
    }

    private static Answers data(String from, String to) {
        assertTrue(new String(DATA.content(), StandardCharsets.UTF_8).contains(from), from);
        return DATA.withText(text -> text.replace(from, to));
    }

    @Test
    void faults_areFound_eachByItsCause() {
        heads();
        pages();
        values();
        bytes();
        assertEquals(Map.of(), wrong);
        assertTrue(faults >= 40, () -> "only " + faults);
    }

    private void heads() {
        fault("status: 200 → 500", PAGE, PAGE.withStatus(500));
        fault("status: 200 → 404", PAGE, PAGE.withStatus(404));
        fault("status: 302 → 301", MOVED, MOVED.withStatus(301));
        fault("no answer", PAGE, PAGE.withStatus(0));
        fault("field missing: x-frame-options", PAGE, fields("X-Frame-Options: DENY\n", ""));
        fault("field added: x-debug", PAGE, PAGE.withField("X-Debug: 1"));
        fault("field: cache-control", PAGE, fields("private", "public"));
        fault("field: vary", PAGE, fields(", Cookie", ""));
        fault("field: content-language", PAGE, fields("Language: de", "Language: en"));
        fault("field: content-type", IMAGE, IMAGE.withFields(_ -> "Content-Type: image/gif"));
        fault("field: location", MOVED, MOVED.withFields(_ -> "Location: /signin?from=%2F"));
        fault("field: location", MOVED, MOVED.withFields(_ -> "Location: //evil/login?from=%2F"));
        fault("attributes of a cookie: JSESSIONID", PAGE, fields(" HttpOnly;", ""));
        fault("attributes of a cookie: JSESSIONID", PAGE, fields(" Secure;", ""));
        fault("attributes of a cookie: JSESSIONID", PAGE, fields("=Lax", "=None"));
        fault("attributes of a cookie: JSESSIONID", PAGE, fields("Path=/shop", "Path=/"));
        fault("attributes of a cookie: lang", PAGE, fields(" Max-Age=3600;", ""));
        fault("attributes of a cookie: lang", PAGE, fields("Max-Age=3600", "Max-Age=0"));
        fault(
                "cookie missing: lang",
                PAGE,
                fields("\nSet-Cookie: lang=de; Max-Age=3600; Path=/", ""));
        fault("cookie added: spy", PAGE, PAGE.withField("Set-Cookie: spy=1"));
    }

    private void pages() {
        String body = "content: html > body";
        fault(body + " > p > (text)", PAGE, page("12,50", "12.50"));
        fault(body + " > h1#top > (text)", PAGE, page("&amp;", "&amp;amp;"));
        fault("content: html > head > title > (text)", PAGE, page("Käse</title", "KÃ¤se</title"));
        fault(body + " > h1#top > (text)", PAGE, page("Käse &amp;", "K?se &amp;"));
        fault("content: html @lang", PAGE, page("lang=\"de\"", "lang=\"en\""));
        fault("content missing: html > body > p", PAGE, page("<p>Summe: 12,50</p>", ""));
        fault("content missing: html > body > ul > li", PAGE, page("<li>zwei</li>", ""));
        fault(
                "content added: html > body > ul > li",
                PAGE,
                page("<li>zwei</li>", "<li>zwei</li><li>neu</li>"));
        fault(
                "content missing: html > body > form > input[_csrf]",
                PAGE,
                page("<input type=\"hidden\" name=\"_csrf\" value=\"r4nd0m\">", ""));
        fault(
                "content: html > body > form > input[amount] @value",
                PAGE,
                page("value=\"3\"", "value=\"4\""));
        fault(body + " > form @action", PAGE, page("/order", "/cart"));
        fault(body + " > a @href", PAGE, page("page=2", "seite=2"));
        fault(body + " @class", PAGE, page("x y", "x"));
        fault("content missing: #doctype", PAGE, page("<!DOCTYPE html>", ""));
        fault("content: html > head > script > (text)", PAGE, page("var csrf", "let csrf"));
        fault("content ends early", PAGE, PAGE.cut(300).brokenOff());
        fault("field missing: content-encoding", PAGE.compressed(), PAGE);
        fault("form of the content", PAGE, PAGE.cut(0));
    }

    private void values() {
        fault("content: /price", DATA, data("12.5", "12.51"));
        fault("content: /price", DATA, data("12.5", "\"12.5\""));
        fault("content: /id", DATA, data("7", "null"));
        fault("content missing: /maker/active", DATA, data(", \"active\": true", ""));
        fault("content missing: /stock", DATA, data("\"stock\": null,", ""));
        fault("content added: /more", DATA, data("\"id\"", "\"more\": 1, \"id\""));
        fault("content missing: /tags/*", DATA, data("\"b\", ", ""));
        fault("content: /name", DATA, data("Käse", "K\\u00c3se"));
        fault("content: /maker/name", DATA, data("Huber", "huber"));
        fault("form of the content", DATA, DATA.cut(40));
    }

    private void bytes() {
        fault("bytes", IMAGE, IMAGE.withText(text -> text.replace("more", "less")));
        fault("bytes", IMAGE, IMAGE.cut(9));
        fault("bytes", SHEET, SHEET.withText(text -> text.replace("red", "tan")));
        fault("bytes", SHEET, SHEET.cut(13));
    }

    /// Pages in another charset that says so are the same; in one that says another are not.
    @Test
    void charsets_areRead_asTheAnswersSay() {
        Answers latin = PAGE.written(StandardCharsets.ISO_8859_1);
        List<String> causes = found(PAGE, latin).stream().map(Difference::cause).toList();
        assertTrue(causes.contains("content: html > head > title > (text)"), causes::toString);
        Answers said = latin.withFields(text -> text.replace("UTF-8", "ISO-8859-1"));
        assertEquals(
                List.of("field: content-type"),
                found(PAGE, said).stream().map(Difference::cause).toList());
    }

    @Test
    void elementsInAnotherOrder_areFound() {
        Answers other = page("<li>eins</li><li>zwei</li>", "<li>zwei</li><li>eins</li>");
        assertEquals(2, found(PAGE, other).size());
        assertTrue(!found(DATA, data("\"a\", \"b\"", "\"b\", \"a\"")).isEmpty());
    }

    @Test
    void whatIsSaidInAnotherWayOnly_isNoDifference() {
        List<Answers> alike = new ArrayList<>();
        alike.add(PAGE.withField("Date: now").withField("Server: other").withField("ETag: \"1\""));
        alike.add(fields("private, max-age=60", "max-age=60,private"));
        alike.add(fields("Accept-Encoding, Cookie", "cookie, accept-encoding"));
        alike.add(fields("text/html;charset=UTF-8", "text/html; charset=\"utf-8\""));
        alike.add(
                fields(
                        "JSESSIONID=A1; Path=/shop; HttpOnly",
                        "JSESSIONID=Z9; HttpOnly; Path=/shop"));
        alike.add(
                page(
                        "<link rel=\"stylesheet\" href=\"/a.css\">",
                        "<LINK href='/a.css' rel=stylesheet>"));
        alike.add(page("x y", "y  x"));
        alike.add(page("r4nd0m", "other"));
        alike.add(page("a1b2", "c3d4"));
        alike.add(page("<ul>", "\n  <!-- a list -->\n<ul>"));
        alike.add(page("href=\"/next?", "href=\"/next;jsessionid=0A1B?"));
        for (Answers one : alike) {
            assertEquals(List.of(), found(PAGE, one), one::fields);
        }
        assertEquals(
                List.of(),
                found(
                        DATA,
                        Answers.json(
                                """
                                {"maker":{"active":true,"name":"Huber"},"token":"t2","id":7.0,
                                "name":"K\\u00e4se","price":1.250e1,"tags":["a","b","c"],
                                "stock":null}
                                """)));
        assertEquals(
                List.of(), found(MOVED, MOVED.withFields(text -> text + "\nConnection: close")));
    }

    /// Credentials and what is typed into forms are nobody's business.
    @Test
    void examples_showNoSecrets() {
        List<Difference> all = new ArrayList<>();
        all.addAll(found(PAGE, page("value=\"3\"", "value=\"hidden-4\"")));
        all.addAll(found(PAGE, page("<option>S", "<option>hidden-S")));
        all.addAll(found(PAGE, fields("JSESSIONID=A1; Path=/shop; ", "JSESSIONID=hidden-Z; ")));
        all.addAll(found(PAGE, page("page=2", "page=hidden-2")));
        all.addAll(found(MOVED, MOVED.withFields(_ -> "Location: /login?token=hidden-1")));
        all.addAll(found(DATA, data("\"t1\"", "[\"hidden-2\"]")));
        all.addAll(found(PAGE, PAGE.withField("X-CSRF-Token: hidden-3")));
        assertEquals(7, all.size(), all::toString);
        all.forEach(one -> assertTrue(!one.toString().contains("hidden-"), one::toString));
    }

    /// A hostile server gains nothing by depth or length.
    @Test
    void hostileAnswers_areComparedWithinBounds() {
        String deep = "<div>".repeat(3_000);
        assertTrue(found(PAGE, Answers.html(deep)).size() <= 30);
        assertEquals(1, found(Answers.html(deep + "a"), Answers.html(deep + "b")).size());
        assertEquals(
                List.of("form of the content"),
                found(DATA, Answers.json("[".repeat(100_000))).stream()
                        .map(Difference::cause)
                        .toList());
        Answers bomb = Answers.html("a".repeat(50_000_000)).compressed();
        assertTrue(!comparison.compare("GET", PAGE.compressed().seen(), bomb.seen()).whole());
        String many = "<p>1</p>".repeat(3_000);
        assertTrue(found(Answers.html(many), Answers.html(many.replace('1', '2'))).size() <= 30);
    }
}
