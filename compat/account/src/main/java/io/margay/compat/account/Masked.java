package io.margay.compat.account;

import java.util.regex.Pattern;

/// Texts of a configuration as messages may show them: without what a URL has before its host, and
/// without parameters that are named as secrets, as URLs of databases have them. Stateless.
public final class Masked {
    private static final Pattern USER = Pattern.compile("(:/{1,2})[^/?#\\s\"]*@");
    private static final Pattern PARAMETER =
            Pattern.compile(
                    "((?:password|passwd|pwd|secret|token|key)=)[^&;\\s\"]*",
                    Pattern.CASE_INSENSITIVE);

    private Masked() {}

    public static String text(String text) {
        String user = USER.matcher(text).replaceAll("$1***@");
        return PARAMETER.matcher(user).replaceAll("$1***");
    }
}
