package io.margay.app.agreement.member;

import io.margay.app.agreement.member.Asking.Both;
import io.margay.protocol.http.HttpDate;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;

/// What differs on purpose, with the reason. None of them lets a member or a browser have what
/// httpd keeps from it. Stateless.
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

    private record Reason(String text, Predicate<Probed> holds) {}

    private static final List<Reason> REASONS =
            List.of(
                    new Reason(
                            "requests get a Via field",
                            seen -> seen.ofMember() && seen.field().equals("via")),
                    new Reason(
                            "names with an underscore are not passed on",
                            seen ->
                                    seen.ofMember()
                                            && seen.one.part().startsWith("field ")
                                            && seen.field().contains("_")
                                            && (seen.isKept()
                                                    || seen.theirs().endsWith(", " + seen.ours()))),
                    new Reason(
                            "Proxy is not passed on",
                            seen ->
                                    seen.ofMember()
                                            && seen.isKept()
                                            && seen.field().equals("proxy")),
                    new Reason(
                            "what concerns one connection, or Connection names, is not passed on",
                            seen ->
                                    seen.ofMember()
                                            && seen.isKept()
                                            && (HOP_BY_HOP.contains(seen.field())
                                                    || seen.isNominated())),
                    new Reason(
                            "what a rule has said is passed on, whatever Connection names",
                            seen -> seen.ofMember() && seen.isNominated()),
                    new Reason(
                            "of several fields of a name, programs get all",
                            seen ->
                                    seen.is("fcgi", "param HTTP_X_ONE")
                                            && seen.ours().endsWith(", " + seen.theirs())),
                    new Reason(
                            "REQUEST_URI of an expression has no path parameters",
                            seen ->
                                    seen.probe.target().contains(";")
                                            && seen.made.all().contains("expr=%{REQUEST_URI}")
                                            && seen.ours()
                                                    .equals(
                                                            seen.theirs()
                                                                    .replaceFirst(";[^/?,]*", ""))),
                    new Reason(
                            "LimitRequestBody holds for what members get, too",
                            seen ->
                                    seen.isStatus()
                                            && seen.made.all().contains("LimitRequestBody")
                                            && (List.of("411", "413").contains(seen.ourStatus())
                                                    || seen.theirStatus().equals("413")
                                                            && seen.ourStatus().startsWith("4"))),
                    new Reason(
                            "a client found by RemoteIPHeader has its connection's port",
                            seen ->
                                    seen.is("ajp", "attribute AJP_REMOTE_PORT")
                                            && seen.made.all().contains("RemoteIPHeader")),
                    new Reason(
                            "a folder is told of by OPTIONS without a redirection",
                            seen ->
                                    seen.isStatus()
                                            && seen.probe.method().equals("OPTIONS")
                                            && seen.both.oursOfMember().isEmpty()
                                            && seen.both.theirsOfMember().isEmpty()),
                    new Reason(
                            "a page that is not there is 404, where httpd looks for it again",
                            seen ->
                                    seen.isStatus()
                                            && seen.theirStatus().equals("500")
                                            && seen.ourStatus().equals("404")
                                            && seen.both.theirsOfMember().isEmpty()
                                            && seen.both.oursOfMember().isEmpty()),
                    new Reason(
                            "own redirections do not expire",
                            seen ->
                                    seen.theirStatus().startsWith("30")
                                            && seen.one.ours().isEmpty()
                                            && List.of("cache-control", "expires")
                                                    .contains(seen.field())
                                            && seen.both.oursOfMember().isEmpty()),
                    new Reason(
                            "a second has passed",
                            seen -> seen.is("response", "field expires") && seen.isSoonAfter()),
                    new Reason(
                            "responses of every status are compressed, and their tags are weak",
                            seen ->
                                    (seen.is("response", "field content-encoding")
                                                    && seen.ours().equals("gzip"))
                                            || (seen.is("response", "field etag")
                                                    && seen.ours().equals("W/" + seen.theirs()))),
                    new Reason(
                            "QUERY_STRING of an expression is the client's",
                            seen ->
                                    seen.isChangedBy(".*expr=%\\{QUERY_STRING\\}.*")
                                            && seen.made.all().contains("RewriteRule")),
                    new Reason(
                            "AliasMatch is served as Alias",
                            seen ->
                                    seen.one.part().startsWith("param CONTEXT_")
                                            && seen.probe.target().startsWith("/am/")),
                    new Reason(
                            "an empty variable counts as one that is not set",
                            seen ->
                                    (seen.is("ajp", "attribute foo")
                                                    && seen.ours().equals("none")
                                                    && seen.theirs().isEmpty())
                                            || (seen.ours().contains("(null)")
                                                    && seen.ours()
                                                            .replaceFirst("\\(null\\)", "")
                                                            .equals(seen.theirs()))),
                    new Reason(
                            "what Header changes is changed in what programs send, too",
                            seen ->
                                    seen.one.where().equals("response")
                                            && seen.isChangedBy(".*")
                                            && seen.both.theirsOfMember().stream()
                                                    .anyMatch(
                                                            one -> one.protocol().equals("fcgi"))),
                    new Reason(
                            "rules of a folder are asked before a slash is added to its path",
                            seen ->
                                    seen.isStatus()
                                            && seen.theirStatus().equals("301")
                                            && seen.made.all().contains("RewriteRule")
                                            && seen.probe.target().equals("/sub")
                                            && seen.both.oursOfMember().isEmpty()),
                    new Reason(
                            "what is not there is not there, whatever is asked of it",
                            seen ->
                                    seen.isStatus()
                                            && seen.probe.method().equals("OPTIONS")
                                            && seen.ourStatus().equals("404")
                                            && seen.both.theirsOfMember().isEmpty()),
                    new Reason(
                            "an Alias that ends with a slash is found without it",
                            seen ->
                                    seen.isStatus()
                                            && seen.theirStatus().equals("404")
                                            && seen.ourStatus().equals("301")
                                            && seen.probe.target().equals("/al")),
                    new Reason(
                            "what a .htaccess changes comes last",
                            seen ->
                                    seen.one.where().equals("response")
                                            && seen.isChangedBy(".*")
                                            && seen.made.files().values().stream()
                                                    .anyMatch(one -> one.contains("Header "))),
                    new Reason(
                            "what a rule has made of a path is sent, also with nocanon",
                            seen ->
                                    seen.is("http", "line")
                                            && seen.made.all().contains("nocanon")
                                            && seen.made.all().contains("RewriteRule")),
                    new Reason(
                            "an own page of 503 says when to come again",
                            seen ->
                                    seen.is("response", "field retry-after")
                                            && seen.one.theirs().isEmpty()
                                            && seen.ourStatus().equals("503")),
                    new Reason(
                            "the client's address stands for its name over AJP13",
                            seen -> seen.is("ajp", "remote_host")),
                    new Reason(
                            "over AJP13 the port is that of the URL, as with mod_jk",
                            seen -> seen.is("ajp", "server_port") && seen.ours().equals("80")),
                    new Reason(
                            "over AJP13 no content has a length of 0, as with mod_jk",
                            seen ->
                                    seen.is("ajp", "field content-length")
                                            && seen.ours().equals("0")),
                    new Reason(
                            "over AJP13 a member is told its route",
                            seen -> seen.is("ajp", "route") && seen.one.theirs().isEmpty()),
                    new Reason(
                            "which methods there are is said otherwise",
                            seen ->
                                    seen.is("response", "field allow")
                                            || (seen.is("response", "field content-type")
                                                    && seen.isKept()
                                                    && seen.probe.method().equals("OPTIONS"))),
                    new Reason(
                            "folders get a slash by a relative location",
                            seen ->
                                    seen.is("response", "field location")
                                            && seen.ours().startsWith("/")
                                            && seen.theirs().matches("http://[^/]+/.*/")
                                            && seen.theirs().endsWith(seen.ours())),
                    new Reason(
                            "httpd's own variables for FastCGI",
                            seen -> seen.is("fcgi", "param proxy-nokeepalive")),
                    new Reason(
                            "content is passed on in chunks as it comes, with its trailers",
                            seen ->
                                    seen.probe.chunked()
                                            && (seen.is("http", "framing")
                                                    || seen.is("http", "trailer"))),
                    new Reason(
                            "files are read, and not posted to",
                            seen ->
                                    seen.isStatus()
                                            && !seen.isRead()
                                            && List.of("404", "405").contains(seen.ourStatus())
                                            && seen.both.theirsOfMember().isEmpty()
                                            && seen.both.oursOfMember().isEmpty()),
                    new Reason(
                            "programs are not sent as files where another host runs them",
                            seen ->
                                    seen.both.theirs().one("content").matches("(?s)file:.*\\.php\n")
                                            && !seen.both.ours().one("content").contains(".php")),
                    new Reason(
                            "a part is asked for by GET, of files",
                            seen ->
                                    seen.probe.fields().stream()
                                                    .anyMatch(f -> f.startsWith("Range"))
                                            && seen.theirStatus().equals("206")
                                            && seen.ourStatus().equals("200")),
                    new Reason(
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
                            "texts of ErrorDocument are UTF-8",
                            seen ->
                                    seen.is("response", "field content-type")
                                            && seen.ours().equals("text/html;charset=utf-8")
                                            && seen.theirs().startsWith("text/html; charset=")),
                    new Reason(
                            "what a member leaves without a type has none",
                            seen ->
                                    seen.is("response", "field content-type")
                                            && seen.one.ours().isEmpty()
                                            && seen.probe.reply().fields().stream()
                                                    .noneMatch(f -> f.startsWith("Content-Type"))),
                    new Reason(
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
                            "cookies are joined as HTTP has it",
                            seen ->
                                    seen.field().equals("cookie")
                                            && seen.theirs()
                                                    .replace(", ", "; ")
                                                    .equals(seen.ours())),
                    new Reason(
                            "mod_jk's state of a member is told where ProxyAddHeaders is Off",
                            seen ->
                                    seen.one.part().endsWith(" JK_LB_ACTIVATION")
                                            || (seen.is("ajp", "field max-forwards")
                                                    && seen.made
                                                            .all()
                                                            .contains("ProxyAddHeaders Off"))),
                    new Reason(
                            "a page for an error is asked for whole",
                            seen ->
                                    seen.made.all().contains("ErrorDocument")
                                            && seen.isKept()
                                            && (seen.field().equals("range")
                                                    || seen.field().startsWith("if-"))),
                    new Reason(
                            "what back-references put in stays encoded",
                            seen ->
                                    seen.is("response", "field location")
                                            && seen.ours()
                                                    .replace("%23", "#")
                                                    .equals(seen.theirs())),
                    new Reason(
                            "dot segments are resolved",
                            seen ->
                                    seen.is("http", "line")
                                            && seen.theirs()
                                                    .replaceFirst("/\\./y/\\.\\./", "/")
                                                    .equals(seen.ours())),
                    new Reason(
                            "own pages are compressed, too",
                            seen ->
                                    seen.is("response", "field content-encoding")
                                            && seen.both.oursOfMember().isEmpty()),
                    new Reason(
                            "always changes what a member has sent, too",
                            seen ->
                                    seen.one.where().equals("response")
                                            && seen.made
                                                    .all()
                                                    .toLowerCase(Locale.ROOT)
                                                    .matches(
                                                            "(?s).*header always \\S+ "
                                                                    + seen.field()
                                                                    + "\\b.*")),
                    new Reason(
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
                                                            seen.theirs().replace("+", "%20"))));

    static Optional<String> reason(MemberCase made, MemberProbe probe, Difference one, Both both) {
        Probed seen = new Probed(made, probe, one, both);
        return REASONS.stream().filter(each -> each.holds.test(seen)).map(Reason::text).findFirst();
    }
}
