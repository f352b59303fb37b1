package io.margay.protocol.caching;

import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.HttpDate;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// How old a response is and how long it may be used (RFC 9111 §4.2, RFC 5861). Immutable.
///
/// @param bornSecond when it was made, in seconds since 1970: its age is the time since then
/// @param lifetime seconds for which it is fresh from then on
/// @param whileRevalidate seconds after that in which it may be used while it is fetched anew
/// @param ifError seconds after that in which it may be used when it cannot be fetched
/// @param isValidated whether each use must be validated, however fresh it is
/// @param isBound whether it must not be used stale, whatever clients accept
public record Freshness(
        long bornSecond,
        long lifetime,
        long whileRevalidate,
        long ifError,
        boolean isValidated,
        boolean isBound) {
    private static final long HEURISTIC_SECONDS_MAX = 86_400;

    /// Fields for some caches only, those for this server before those for all CDNs (RFC 9213).
    private static final List<String> TARGETED =
            List.of("Margay-Cache-Control", "CDN-Cache-Control");

    /// Statuses whose responses may be stored though they do not say how long (RFC 9110 §15.1).
    private static final Set<Integer> HEURISTIC =
            Set.of(200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501);

    /// The directives that hold for this server.
    static CacheControl control(FieldList response) {
        CacheControl own = targeted(response);
        return own != null ? own : CacheControl.of(response.all("Cache-Control"));
    }

    private static @Nullable CacheControl targeted(FieldList response) {
        for (String name : TARGETED) {
            CacheControl own = CacheControl.targeted(response.all(name));
            if (own != null) {
                return own;
            }
        }
        return null;
    }

    /// Whether responses of a status may be stored that do not say how long they are fresh.
    static boolean isHeuristic(int status) {
        return HEURISTIC.contains(status);
    }

    /// Whether a response says how long it is fresh.
    static boolean isExplicit(FieldList response) {
        CacheControl targeted = targeted(response);
        CacheControl control =
                targeted != null ? targeted : CacheControl.of(response.all("Cache-Control"));
        return control.has("s-maxage")
                || control.has("max-age")
                || (targeted == null && response.contains("Expires"));
    }

    /// That of a response.
    ///
    /// @param askedSecond when it was asked for, seconds since 1970
    /// @param cameSecond when it came
    public static Freshness of(
            int status, FieldList response, CachePolicy policy, long askedSecond, long cameSecond) {
        CacheControl control = control(response);
        long date = date(response.get("Date"), cameSecond);
        long told = date == HttpDate.INVALID ? cameSecond : date;
        long apparent = Math.max(0, cameSecond - told);
        long corrected = age(response.get("Age")) + Math.max(0, cameSecond - askedSecond);
        long lifetime = lifetime(status, response, control, policy, told, cameSecond);
        boolean bound =
                control.has("must-revalidate")
                        || control.has("proxy-revalidate")
                        || control.has("s-maxage")
                        || control.has("no-cache");
        long ifError = control.seconds("stale-if-error");
        long meanwhile = control.seconds("stale-while-revalidate");
        long otherwise = policy.further().whileRevalidateSeconds();
        return new Freshness(
                cameSecond - Math.max(apparent, corrected),
                Math.min(lifetime, policy.secondsMax()),
                bound ? 0 : meanwhile >= 0 ? meanwhile : otherwise,
                bound ? 0 : ifError >= 0 ? ifError : policy.staleIfErrorSeconds(),
                control.has("no-cache"),
                bound);
    }

    private static long lifetime(
            int status,
            FieldList response,
            CacheControl control,
            CachePolicy policy,
            long date,
            long cameSecond) {
        if (control.has("s-maxage")) {
            return control.seconds("s-maxage");
        }
        if (control.has("max-age")) {
            return control.seconds("max-age");
        }
        if (targeted(response) == null && response.contains("Expires")) {
            List<String> lines = response.all("Expires");
            long expires =
                    lines.size() == 1 ? date(lines.getFirst(), cameSecond) : HttpDate.INVALID;
            return expires == HttpDate.INVALID ? 0 : Math.max(0, expires - date);
        }
        if (!isHeuristic(status) && !control.has("public") && !policy.hasTime(status)) {
            return 0;
        }
        long modified = date(response.get("Last-Modified"), cameSecond);
        if (policy.heuristicPercent() > 0 && modified != HttpDate.INVALID && modified < date) {
            return Math.min(
                    HEURISTIC_SECONDS_MAX, (date - modified) / 100 * policy.heuristicPercent());
        }
        return policy.seconds(status);
    }

    /// The first of the values, if it is a number; else the response is as old as it seems.
    private static long age(@Nullable String value) {
        if (value == null) {
            return 0;
        }
        int comma = value.indexOf(',');
        return CacheControl.number((comma < 0 ? value : value.substring(0, comma)).strip());
    }

    /// Reads a date whatever the case of its names, as other caches do.
    static long date(@Nullable String value, long nowSecond) {
        if (value == null) {
            return HttpDate.INVALID;
        }
        long date = HttpDate.parse(value, nowSecond);
        return date != HttpDate.INVALID ? date : HttpDate.parse(capitalized(value), nowSecond);
    }

    private static String capitalized(String text) {
        StringBuilder made = new StringBuilder(text.toLowerCase(Locale.ROOT));
        for (int i = 0; i < made.length(); i++) {
            boolean first = i == 0 || !Character.isLetter(made.charAt(i - 1));
            if (first) {
                made.setCharAt(i, Character.toUpperCase(made.charAt(i)));
            }
        }
        int zone = made.length() - 3;
        if (zone > 0 && made.substring(zone).equals("Gmt")) {
            made.replace(zone, made.length(), "GMT");
        }
        return made.toString();
    }

    /// The same where the second in which it would become stale still counts, as in nginx.
    public Freshness withLastSecond() {
        return lifetime <= 0
                ? this
                : new Freshness(
                        bornSecond, lifetime + 1, whileRevalidate, ifError, isValidated, isBound);
    }

    /// How old it is, in seconds.
    public long age(long nowSecond) {
        return Math.max(0, nowSecond - bornSecond);
    }

    /// For how long it is fresh yet; negative = since when it is not.
    public long left(long nowSecond) {
        return lifetime - age(nowSecond);
    }

    /// What a request may do with it.
    ///
    /// @param asked directives of the request
    public Use use(CacheControl asked, long nowSecond) {
        long left = left(nowSecond);
        long most = asked.seconds("max-age");
        long minFresh = Math.max(0, asked.seconds("min-fresh"));
        if (isValidated
                || asked.has("no-cache")
                || (most != CacheControl.ABSENT && age(nowSecond) > most)) {
            return Use.VALIDATE;
        }
        if (left > 0 && left >= minFresh) {
            return Use.FRESH;
        }
        if (isBound || minFresh > 0) {
            return Use.VALIDATE;
        }
        if (-left <= asked.seconds("max-stale", CacheControl.SECONDS_MAX)
                && asked.has("max-stale")) {
            return Use.STALE;
        }
        return whileRevalidate > 0 && -left < whileRevalidate ? Use.REVALIDATE : Use.VALIDATE;
    }

    /// Whether it may stand in for an error.
    ///
    /// @param asked directives of the request, which may allow it, too
    public boolean mayReplaceError(CacheControl asked, long nowSecond) {
        long allowed = Math.max(ifError, asked.seconds("stale-if-error"));
        return !isBound && -left(nowSecond) < allowed;
    }

    /// What may be done with a stored response.
    public enum Use {
        /// It is the answer.
        FRESH,

        /// It is the answer though it is stale, as the client accepts.
        STALE,

        /// It is the answer though it is stale, and is to be fetched anew meanwhile.
        REVALIDATE,

        /// It is the answer only if the origin says so.
        VALIDATE
    }
}
