package io.margay.compat.tomcat.javax;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// What Servlet 6, Pages 4 and Expression Language 6 have removed, and what stands for it: methods
/// by static ones that get the receiver as their first argument, types by types of the same
/// members. Immutable.
final class RemovedApi {
    private static final String STAND_INS = "io/margay/compat/tomcat/removed/";

    /// Static methods in place of calls, and of calls by `super`.
    static final String CALLS = STAND_INS + "RemovedCalls";

    static final String METHODS = STAND_INS + "RemovedMethods";

    static final String UNAVAILABLE = "jakarta/servlet/UnavailableException";
    static final String SERVLET_UNAVAILABLE = STAND_INS + "ServletUnavailable";
    static final Set<String> UNAVAILABLE_CONSTRUCTORS =
            Set.of(
                    "(Ljakarta/servlet/Servlet;Ljava/lang/String;)V",
                    "(ILjakarta/servlet/Servlet;Ljava/lang/String;)V");

    private static final String HTTP = "jakarta/servlet/http/";
    private static final String JSP = "jakarta/servlet/jsp/";
    private static final String EL = "jakarta/el/";
    private static final String TEXT = "Ljava/lang/String;";

    /// A removed method.
    ///
    /// @param name of the method
    /// @param descriptor of the method
    /// @param receiver the type of the first argument of what stands for it
    /// @param owners the types that had it, as class files name them
    /// @param wrapper the class that an application extends and that passed it on; null = there is
    ///   none
    record Method(
            String name,
            String descriptor,
            String receiver,
            Set<String> owners,
            @Nullable String wrapper) {
        /// The descriptor of the static method.
        ///
        /// @param first internal name of its first argument's type
        String with(String first) {
            return "(L" + first + ";" + descriptor.substring(1);
        }
    }

    private static final Set<String> REQUESTS =
            Set.of(
                    "jakarta/servlet/ServletRequest",
                    "jakarta/servlet/ServletRequestWrapper",
                    HTTP + "HttpServletRequest",
                    HTTP + "HttpServletRequestWrapper");

    private static final Set<String> HTTP_REQUESTS =
            Set.of(HTTP + "HttpServletRequest", HTTP + "HttpServletRequestWrapper");
    private static final Set<String> RESPONSES =
            Set.of(HTTP + "HttpServletResponse", HTTP + "HttpServletResponseWrapper");
    private static final Set<String> SESSIONS = Set.of(HTTP + "HttpSession");
    private static final Set<String> CONTEXTS = Set.of("jakarta/servlet/ServletContext");
    private static final Set<String> PAGES = Set.of(JSP + "JspContext", JSP + "PageContext");
    private static final Set<String> RESOLVERS =
            Set.of(
                    EL + "ELResolver",
                    EL + "ArrayELResolver",
                    EL + "BeanELResolver",
                    EL + "BeanNameELResolver",
                    EL + "CompositeELResolver",
                    EL + "ListELResolver",
                    EL + "MapELResolver",
                    EL + "ResourceBundleELResolver",
                    EL + "StaticFieldELResolver",
                    EL + "TypeConverter",
                    JSP + "el/ImplicitObjectELResolver",
                    JSP + "el/ScopedAttributeELResolver");

    static final List<Method> METHOD_LIST =
            List.of(
                    session("getValue", "(" + TEXT + ")Ljava/lang/Object;"),
                    session("putValue", "(" + TEXT + "Ljava/lang/Object;)V"),
                    session("removeValue", "(" + TEXT + ")V"),
                    session("getValueNames", "()[" + TEXT),
                    session("getSessionContext", "()L" + STAND_INS + "HttpSessionContext;"),
                    response("encodeUrl", "(" + TEXT + ")" + TEXT),
                    response("encodeRedirectUrl", "(" + TEXT + ")" + TEXT),
                    response("setStatus", "(I" + TEXT + ")V"),
                    new Method(
                            "isRequestedSessionIdFromUrl",
                            "()Z",
                            HTTP + "HttpServletRequest",
                            HTTP_REQUESTS,
                            HTTP + "HttpServletRequestWrapper"),
                    new Method(
                            "getRealPath",
                            "(" + TEXT + ")" + TEXT,
                            "jakarta/servlet/ServletRequest",
                            REQUESTS,
                            "jakarta/servlet/ServletRequestWrapper"),
                    context("log", "(Ljava/lang/Exception;" + TEXT + ")V"),
                    context("getServlet", "(" + TEXT + ")Ljakarta/servlet/Servlet;"),
                    context("getServlets", "()Ljava/util/Enumeration;"),
                    context("getServletNames", "()Ljava/util/Enumeration;"),
                    other("getServlet", "()Ljakarta/servlet/Servlet;", Set.of(UNAVAILABLE)),
                    new Method(
                            "getRootCause",
                            "()Ljava/lang/Throwable;",
                            JSP + "JspException",
                            Set.of(JSP + "JspException", JSP + "JspTagException"),
                            null),
                    new Method(
                            "getExpressionEvaluator",
                            "()L" + STAND_INS + "ExpressionEvaluator;",
                            JSP + "JspContext",
                            PAGES,
                            null),
                    new Method(
                            "getVariableResolver",
                            "()L" + STAND_INS + "VariableResolver;",
                            JSP + "JspContext",
                            PAGES,
                            null),
                    new Method(
                            "getFeatureDescriptors",
                            "(Ljakarta/el/ELContext;Ljava/lang/Object;)Ljava/util/Iterator;",
                            EL + "ELResolver",
                            RESOLVERS,
                            null),
                    other("isParmetersProvided", "()Z", Set.of(EL + "MethodExpression")));

    private static final Map<String, Method> BY_KEY = byKey();

    /// Types that are gone. A dot or a slash is between the parts of a name.
    private static final Pattern TYPES =
            Pattern.compile(
                    "jakarta([./])servlet\\1(?:(SingleThreadModel)"
                            + "|http\\1(HttpSessionContext|HttpUtils)"
                            + "|jsp\\1el\\1(ELException|ELParseException|Expression"
                            + "|ExpressionEvaluator|FunctionMapper|VariableResolver))\\b");

    private RemovedApi() {}

    private static Method session(String name, String descriptor) {
        return new Method(name, descriptor, HTTP + "HttpSession", SESSIONS, null);
    }

    private static Method response(String name, String descriptor) {
        return new Method(
                name,
                descriptor,
                HTTP + "HttpServletResponse",
                RESPONSES,
                HTTP + "HttpServletResponseWrapper");
    }

    private static Method context(String name, String descriptor) {
        return new Method(name, descriptor, "jakarta/servlet/ServletContext", CONTEXTS, null);
    }

    private static Method other(String name, String descriptor, Set<String> owner) {
        return new Method(name, descriptor, owner.iterator().next(), owner, null);
    }

    private static Map<String, Method> byKey() {
        Map<String, Method> found = new HashMap<>();
        for (Method method : METHOD_LIST) {
            for (String owner : method.owners()) {
                found.put(key(owner, method.name(), method.descriptor()), method);
            }
        }
        return Map.copyOf(found);
    }

    private static String key(String owner, String name, String descriptor) {
        return owner + "." + name + descriptor;
    }

    /// The removed method that a class file names; null when it names another one.
    static @Nullable Method method(String owner, String name, String descriptor) {
        return BY_KEY.get(key(owner, name, descriptor));
    }

    /// A text in which removed types have the names of those that stand for them.
    static String renamed(String text) {
        if (!text.contains("jakarta")) {
            return text;
        }
        return TYPES.matcher(text)
                .replaceAll(found -> {
                    String separator = found.group(1);
                    String name = found.group(2);
                    for (int group = 3; name == null; group++) {
                        name = found.group(group);
                    }
                    return STAND_INS.replace("/", separator)
                            + (name.equals("HttpUtils") ? "HttpQueries" : name);
                });
    }
}
