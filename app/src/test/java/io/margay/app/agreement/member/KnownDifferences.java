package io.margay.app.agreement.member;

import io.margay.app.agreement.member.Asking.Both;
import io.margay.protocol.http.HttpDate;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/// What differs, with the reason. None of them lets a member or a browser have what httpd keeps
/// from it. Stateless.
final class KnownDifferences {
    private static final List<String> HOP_BY_HOP =
            List.of("connection", "te", "keep-alive", "proxy-authorization", "trailer", "upgrade");

    /// Between two requests.
    private static final int SECONDS = 5;

    private KnownDifferences() {}

    /// Of what a difference is.
    private record Probed(MemberCase made, MemberProbe probe, Difference one, Both both) {
        boolean is(String where, String part) {
            return one.where().equals(where) && one.part().equals(part);
        }

        boolean ofMember() {
            return !one.where().equals("response");
        }

        boolean isKept() {
            return one.ours().isEmpty();
        }

        String ours() {
            return one.ours().isEmpty() ? "" : one.ours().getFirst();
        }

        String theirs() {
            return one.theirs().isEmpty() ? "" : one.theirs().getFirst();
        }

        /// Whether it is the tag of what was compressed, by each server's way.
        boolean isWeakened() {
            String plain = theirs().replace("-gzip\"", "\"");
            return is("response", "field etag") && ours().equals("W/" + plain);
        }

        /// Whether a line that changes the field says something besides.
        boolean isChangedBy(String besides) {
            return !field().isEmpty()
                    && made.all()
                            .lines()
                            .map(String::strip)
                            .anyMatch(line ->
                                    line.matches(
                                            "(?i)(Request)?Header .*\\b"
                                                    + field()
                                                    + "\\b"
                                                    + besides));
        }

        /// The name of a field, in lower case; empty for other parts.
        String field() {
            if (one.part().startsWith("field ")) {
                return one.part().substring("field ".length());
            }
            if (one.part().startsWith("param HTTP_")) {
                String name = one.part().substring("param HTTP_".length());
                return name.replace('_', '-').toLowerCase(Locale.ROOT);
            }
            return "";
        }

        boolean isSoonAfter() {
            long theirs = HttpDate.parse(theirs());
            long ours = HttpDate.parse(ours());
            boolean dates = theirs != HttpDate.INVALID && ours != HttpDate.INVALID;
            return dates && Math.abs(theirs - ours) < SECONDS;
        }

        /// Whether the request's `Connection` names the field.
        boolean isNominated() {
            return !probe.hop().isEmpty() && probe.hop().equalsIgnoreCase(field());
        }

        boolean isRead() {
            return List.of("GET", "HEAD").contains(probe.method());
        }

        String ourStatus() {
            return both.ours().one("status");
        }

        String theirStatus() {
            return both.theirs().one("status");
        }

        boolean isStatus() {
            return is("response", "status") || one.part().startsWith("asked");
        }
    }

    /// Why a difference is accepted.
    private enum Kind {
        /// A member, a browser or a client gets less than from httpd, or a refusal.
        STRICTER("stricter"),

        /// HTTP asks for it, or allows it to everybody: nobody is told anything else.
        AS_HTTP("as HTTP has it"),

        /// Over AJP13 it is what mod_jk sends.
        AS_JK("as mod_jk has it");

        private final String text;

        Kind(String text) {
            this.text = text;
        }
    }

    private record Reason(Kind kind, String text, Predicate<Probed> holds) {}

    private static final List<Reason> REASONS =
            List.of(
                    new Reason(
                            Kind.AS_HTTP,
                            "requests get a Via field",
                            seen -> seen.ofMember() && seen.field().equals("via")),
                    new Reason(
                            Kind.STRICTER,
                            "names with an underscore are not passed on",
                            seen ->
                                    seen.ofMember()
                                            && seen.one.part().startsWith("field ")
                                            && seen.field().contains("_")
                                            && (seen.isKept()
                                                    || String.join(", ", seen.one.theirs())
                                                            .endsWith(", " + seen.ours()))),
                    new Reason(
                            Kind.STRICTER,
                            "Proxy is not passed on",
                            seen ->
                                    seen.ofMember()
                                            && seen.isKept()
                                            && seen.field().equals("proxy")),
                    new Reason(
                            Kind.STRICTER,
                            "what concerns one connection, or Connection names, is not passed on",
                            seen ->
                                    seen.ofMember()
                                            && seen.isKept()
                                            && (HOP_BY_HOP.contains(seen.field())
                                                    || seen.isNominated())),
                    new Reason(
                            Kind.AS_HTTP,
                            "what a rule has said is passed on, whatever Connection names",
                            seen -> seen.ofMember() && seen.isNominated()),
                    new Reason(
                            Kind.AS_HTTP,
                            "of several fields of a name, programs get all",
                            seen ->
                                    seen.is("fcgi", "param HTTP_X_ONE")
                                                    && seen.ours().endsWith(", " + seen.theirs())
                                            || seen.is("fcgi", "param HTTP_COOKIE")
                                                    && seen.ours().endsWith("; " + seen.theirs())),
                    new Reason(
                            Kind.STRICTER,
                            "LimitRequestBody holds for what members get, too",
                            seen ->
                                    seen.isStatus()
                                            && seen.made.all().contains("LimitRequestBody")
                                            && (List.of("411", "413").contains(seen.ourStatus())
                                                    || seen.theirStatus().equals("413")
                                                            && seen.ourStatus().startsWith("4"))),
                    new Reason(
                            Kind.AS_JK,
                            "a client found by RemoteIPHeader has its connection's port",
                            seen ->
                                    seen.is("ajp", "attribute AJP_REMOTE_PORT")
                                            && seen.made.all().contains("RemoteIPHeader")),
                    new Reason(
                            Kind.AS_HTTP,
                            "OPTIONS of a folder is answered without a redirection",
                            seen ->
                                    seen.isStatus()
                                            && seen.probe.method().equals("OPTIONS")
                                            && seen.both.oursOfMember().isEmpty()
                                            && seen.both.theirsOfMember().isEmpty()),
                    new Reason(
                            Kind.STRICTER,
                            "a page that is not there is 404, where httpd looks for it again",
                            seen ->
                                    seen.isStatus()
                                            && seen.theirStatus().equals("500")
                                            && seen.ourStatus().equals("404")
                                            && seen.both.theirsOfMember().isEmpty()
                                            && seen.both.oursOfMember().isEmpty()),
                    new Reason(
                            Kind.STRICTER,
                            "own redirections do not expire",
                            seen ->
                                    seen.theirStatus().startsWith("30")
                                            && seen.one.ours().isEmpty()
                                            && List.of("cache-control", "expires")
                                                    .contains(seen.field())
                                            && seen.both.oursOfMember().isEmpty()),
                    new Reason(
                            Kind.AS_HTTP,
                            "a date is a few seconds later",
                            seen -> seen.is("response", "field expires") && seen.isSoonAfter()),
                    new Reason(
                            Kind.AS_HTTP,
                            "responses of every status are compressed, and their tags are weak",
                            seen ->
                                    (seen.is("response", "field content-encoding")
                                                    && seen.ours().equals("gzip"))
                                            || seen.isWeakened()),
                    new Reason(
                            Kind.STRICTER,
                            "what is not there is not there, whatever is asked of it",
                            seen ->
                                    seen.isStatus()
                                            && seen.probe.method().equals("OPTIONS")
                                            && seen.ourStatus().equals("404")
                                            && seen.both.theirsOfMember().isEmpty()),
                    new Reason(
                            Kind.AS_HTTP,
                            "an own page of 503 says when to come again",
                            seen ->
                                    seen.is("response", "field retry-after")
                                            && seen.one.theirs().isEmpty()
                                            && seen.ourStatus().equals("503")),
                    new Reason(
                            Kind.AS_JK,
                            "the client's address stands for its name over AJP13",
                            seen -> seen.is("ajp", "remote_host")),
                    new Reason(
                            Kind.AS_JK,
                            "over AJP13 the port is that of the URL, as with mod_jk",
                            seen ->
                                    seen.is("ajp", "server_port")
                                            && List.of("80", "443").contains(seen.ours())),
                    new Reason(
                            Kind.AS_JK,
                            "over AJP13 no content has a length of 0, as with mod_jk",
                            seen ->
                                    seen.is("ajp", "field content-length")
                                            && seen.ours().equals("0")),
                    new Reason(
                            Kind.AS_JK,
                            "over AJP13 a member gets TLS data, whatever SSLOptions says",
                            seen ->
                                    seen.made.all().contains("JkMount")
                                            && seen.one.theirs().isEmpty()
                                            && List.of(
                                                            "attribute AJP_SSL_PROTOCOL",
                                                            "ssl_cipher",
                                                            "ssl_key_size")
                                                    .contains(seen.one.part())),
                    new Reason(
                            Kind.AS_JK,
                            "over AJP13 a member is told its route",
                            seen -> seen.is("ajp", "route") && seen.one.theirs().isEmpty()),
                    new Reason(
                            Kind.AS_HTTP,
                            "Allow lists the methods there are here",
                            seen ->
                                    seen.is("response", "field allow")
                                            || (seen.is("response", "field content-type")
                                                    && seen.isKept()
                                                    && seen.probe.method().equals("OPTIONS"))),
                    new Reason(
                            Kind.AS_HTTP,
                            "folders get a slash by a relative location",
                            seen ->
                                    seen.is("response", "field location")
                                            && seen.ours().startsWith("/")
                                            && seen.theirs().matches("https?://[^/]+/.*/")
                                            && seen.theirs().endsWith(seen.ours())),
                    new Reason(
                            Kind.AS_HTTP,
                            "programs do not get httpd's proxy-nokeepalive",
                            seen -> seen.is("fcgi", "param proxy-nokeepalive")),
                    new Reason(
                            Kind.AS_HTTP,
                            "content is passed on in chunks as it comes, with its trailers",
                            seen ->
                                    seen.probe.chunked()
                                            && (seen.is("http", "framing")
                                                    || seen.is("http", "trailer"))),
                    new Reason(
                            Kind.STRICTER,
                            "files are read, and not posted to",
                            seen ->
                                    seen.isStatus()
                                            && !seen.isRead()
                                            && List.of("404", "405").contains(seen.ourStatus())
                                            && seen.both.theirsOfMember().isEmpty()
                                            && seen.both.oursOfMember().isEmpty()),
                    new Reason(
                            Kind.STRICTER,
                            "programs are not sent as files where another host runs them",
                            seen ->
                                    seen.both.theirs().one("content").matches("(?s)file:.*\\.php\n")
                                            && !seen.both.ours().one("content").contains(".php")),
                    new Reason(
                            Kind.AS_HTTP,
                            "a part is asked for by GET, of files",
                            seen ->
                                    seen.probe.fields().stream()
                                                    .anyMatch(f -> f.startsWith("Range"))
                                            && seen.theirStatus().equals("206")
                                            && seen.ourStatus().equals("200")),
                    new Reason(
                            Kind.AS_HTTP,
                            "a response that depends on a field of the request always says so",
                            seen ->
                                    seen.is("response", "field vary")
                                            && List.of(seen.ours().split(", "))
                                                    .containsAll(
                                                            seen.theirs().isEmpty()
                                                                    ? List.of()
                                                                    : List.of(
                                                                            seen.theirs()
                                                                                    .split(", ")))),
                    new Reason(
                            Kind.AS_HTTP,
                            "texts of ErrorDocument are UTF-8",
                            seen ->
                                    seen.is("response", "field content-type")
                                            && seen.ours().equals("text/html;charset=utf-8")
                                            && seen.theirs().startsWith("text/html; charset=")),
                    new Reason(
                            Kind.AS_JK,
                            "an encoding stays with NoDecode, where mod_proxy_ajp encodes twice",
                            seen ->
                                    seen.made.all().contains("NoDecode")
                                            && (seen.theirs()
                                                            .equals(
                                                                    seen.ours()
                                                                            .replace(
                                                                                    "%2F", "%252F"))
                                                    || (seen.theirStatus().equals("400")
                                                            && seen.probe
                                                                    .target()
                                                                    .contains("%25")))),
                    new Reason(
                            Kind.AS_HTTP,
                            "cookies are joined as HTTP has it",
                            seen ->
                                    seen.field().equals("cookie")
                                            && String.join(", ", seen.one.theirs())
                                                    .replace(", ", "; ")
                                                    .equals(seen.ours())),
                    new Reason(
                            Kind.AS_HTTP,
                            "Max-Forwards is of OPTIONS and TRACE where ProxyAddHeaders is Off",
                            seen ->
                                    seen.is("http", "field max-forwards")
                                            && seen.made.all().contains("ProxyAddHeaders Off")
                                            && !seen.probe.method().equals("OPTIONS")),
                    new Reason(
                            Kind.AS_JK,
                            "mod_jk's state of a member is told where ProxyAddHeaders is Off",
                            seen ->
                                    seen.one.part().endsWith(" JK_LB_ACTIVATION")
                                            || (seen.is("ajp", "field max-forwards")
                                                    && seen.made
                                                            .all()
                                                            .contains("ProxyAddHeaders Off"))),
                    new Reason(
                            Kind.AS_HTTP,
                            "a page for an error is asked for whole",
                            seen ->
                                    seen.made.all().contains("ErrorDocument")
                                            && seen.isKept()
                                            && (seen.field().equals("range")
                                                    || seen.field().startsWith("if-"))),
                    new Reason(
                            Kind.STRICTER,
                            "what back-references put in stays encoded",
                            seen ->
                                    seen.is("response", "field location")
                                            && seen.ours()
                                                    .replace("%23", "#")
                                                    .equals(seen.theirs())),
                    new Reason(
                            Kind.AS_HTTP,
                            "a challenge of a program is told once",
                            seen ->
                                    seen.is("response", "field www-authenticate")
                                            && seen.one.theirs().size() == 2
                                            && seen.one.ours().size() == 1),
                    new Reason(
                            Kind.STRICTER,
                            "what bears the name of a program that another host runs is not there",
                            seen ->
                                    seen.isStatus()
                                            && seen.ourStatus().equals("404")
                                            && seen.theirStatus().equals("200")
                                            && seen.both.theirsOfMember().isEmpty()
                                            && seen.probe.target().contains(".php")),
                    new Reason(
                            Kind.STRICTER,
                            "no doubled slash is made of a member's URL and a path",
                            seen ->
                                    seen.is("http", "line")
                                            && seen.theirs()
                                                    .replaceFirst(" //", " /")
                                                    .equals(seen.ours())),
                    new Reason(
                            Kind.STRICTER,
                            "dot segments are resolved",
                            seen ->
                                    seen.is("http", "line")
                                            && seen.theirs()
                                                    .replaceFirst("/\\./y/\\.\\./", "/")
                                                    .equals(seen.ours())),
                    new Reason(
                            Kind.AS_HTTP,
                            "own pages are compressed, too",
                            seen ->
                                    seen.is("response", "field content-encoding")
                                            && seen.both.oursOfMember().isEmpty()),
                    new Reason(
                            Kind.AS_HTTP,
                            "what is not a request gets no fields of a host",
                            seen ->
                                    !seen.ofMember()
                                            && !seen.field().isEmpty()
                                            && seen.isKept()
                                            && seen.ourStatus().equals("400")
                                            && seen.theirStatus().equals("400")
                                            && seen.probe.target().contains("#")),
                    new Reason(
                            Kind.STRICTER,
                            "what may be read in two ways goes on encoded",
                            seen ->
                                    (seen.is("http", "line")
                                                    || seen.is("ajp", "uri")
                                                    || seen.is("ajp", "query_string"))
                                            && seen.ours()
                                                    .replace("%7C", "|")
                                                    .replace("%23", "#")
                                                    .replace("%3B", ";")
                                                    .equalsIgnoreCase(
                                                            seen.theirs()
                                                                    .replace("+", "%20")
                                                                    .replace("%23", "#"))));

    /// What is said of all of a kind, in their order.
    static Map<String, List<String>> texts() {
        return REASONS.stream()
                .collect(
                        Collectors.groupingBy(
                                one -> one.kind.text,
                                Collectors.mapping(Reason::text, Collectors.toList())));
    }

    static Optional<String> reason(MemberCase made, MemberProbe probe, Difference one, Both both) {
        Probed seen = new Probed(made, probe, one, both);
        return REASONS.stream()
                .filter(each -> each.holds.test(seen))
                .map(each -> each.kind.text + ": " + each.text)
                .findFirst();
    }
}
