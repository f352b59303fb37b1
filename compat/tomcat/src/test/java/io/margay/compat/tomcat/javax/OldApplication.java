package io.margay.compat.tomcat.javax;

import io.margay.testkit.Archives;
import io.margay.testkit.TestAuthority;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.cert.CertPath;
import java.security.cert.CertificateFactory;
import java.util.List;
import java.util.Objects;
import java.util.zip.ZipFile;
import jdk.security.jarsigner.JarSigner;

/// An application as they were written for Tomcat 4 to 9: a descriptor with a DTD, pages with Java
/// in them, tags of both kinds, libraries that register themselves, one of them signed.
final class OldApplication {
    private static final String WEB_XML =
            """
            <?xml version="1.0" encoding="ISO-8859-1"?>
            <!DOCTYPE web-app PUBLIC "-//Sun Microsystems, Inc.//DTD Web Application 2.%d//EN"
                "http://java.sun.com/dtd/web-app_2_%d.dtd">
            <web-app>
              <context-param>
                <param-name>javax.servlet.example</param-name>
                <param-value>from the descriptor</param-value>
              </context-param>
              <servlet>
                <servlet-name>old</servlet-name>
                <servlet-class>p.Old</servlet-class>
              </servlet>
              <servlet-mapping>
                <servlet-name>old</servlet-name>
                <url-pattern>/old</url-pattern>
              </servlet-mapping>
              <taglib>
                <taglib-uri>/tags</taglib-uri>
                <taglib-location>/WEB-INF/tags.tld</taglib-location>
              </taglib>
            </web-app>
            """;

    private static final String SERVLET =
            """
            package p;
            import java.io.*;
            import javax.servlet.*;
            import javax.servlet.http.*;
            public class Old extends HttpServlet {
                @Override
                protected void doGet(HttpServletRequest q, HttpServletResponse r)
                        throws ServletException, IOException {
                    Class<?> named;
                    try {
                        named = Class.forName("javax.servlet.http.HttpServlet");
                    } catch (ClassNotFoundException e) {
                        throw new ServletException(e);
                    }
                    r.getWriter().print(named.isInstance(this) + " "
                            + getServletContext().getInitParameter("javax.servlet.example"));
                }
            }
            """;

    private static final String TAG =
            """
            package p;
            import javax.servlet.jsp.*;
            import javax.servlet.jsp.tagext.*;
            public class Hello extends TagSupport {
                private String name;
                public void setName(String n) { name = n; }
                @Override
                public int doStartTag() throws JspException {
                    try {
                        pageContext.getOut().print("hello " + name);
                    } catch (java.io.IOException e) {
                        throw new JspException(e);
                    }
                    return SKIP_BODY;
                }
            }
            """;

    private static final String TLD =
            """
            <?xml version="1.0"?>
            <!DOCTYPE taglib PUBLIC "-//Sun Microsystems, Inc.//DTD JSP Tag Library 1.%d//EN"
                "http://java.sun.com/%s/dtds/web-jsptaglibrary_1_%d.dtd">
            <taglib>%s
              <tag>
                <name>hello</name>
                <%s>p.Hello</%s>
                <attribute>
                  <name>name</name><required>true</required><rtexprvalue>true</rtexprvalue>
                </attribute>
              </tag>
            </taglib>
            """;

    private static final String PAGE =
            """
            <%@ page import="javax.servlet.http.*, java.util.*" session="true" %>
            <%@ taglib uri="/tags" prefix="t" %>
            <%! private String of(javax.servlet.http.HttpServletRequest q) {
                    return q.getMethod();
                } %>
            <% HttpSession own = request.getSession(); own.setAttribute("a", "b"); %>
            <t:hello name='<%= (String) own.getAttribute("a") %>'/> <%= of(request) %>
            <%@ include file="part.inc" %>
            """;

    private static final String TAG_FILE =
            """
            <%@ tag import="javax.servlet.ServletContext" %>
            <% ServletContext c = (ServletContext) application; %>tag file <%= c != null %>
            """;

    /// A library that registers a servlet.
    private static final String INITIALIZER =
            """
            package lib;
            import java.util.*;
            import javax.servlet.*;
            import javax.servlet.annotation.*;
            import javax.servlet.http.*;
            @HandlesTypes(Marked.class)
            public class Register implements ServletContainerInitializer {
                @Override
                public void onStartup(Set<Class<?>> found, ServletContext c) {
                    c.addServlet("found", new HttpServlet() {
                        @Override
                        protected void doGet(HttpServletRequest q, HttpServletResponse r)
                                throws java.io.IOException {
                            r.getWriter().print(found + " " + q.getRequestURI());
                        }
                    }).addMapping("/found");
                }
            }
            """;

    private static final String MARKED =
            """
            package lib;
            public interface Marked {}
            """;

    private static final String ANNOTATED =
            """
            package lib;
            import javax.servlet.annotation.*;
            import javax.servlet.http.*;
            @WebServlet("/annotated")
            public class Annotated extends HttpServlet implements Marked {
                @Override
                protected void doGet(HttpServletRequest q, HttpServletResponse r)
                        throws java.io.IOException {
                    r.getWriter().print("annotated");
                }
            }
            """;

    private OldApplication() {}

    /// The application's files.
    ///
    /// @param folder scratch space
    /// @param minor version of the descriptor: 2 or 3
    static Archives files(Path folder, int minor) {
        return Archives.in(folder)
                .text("WEB-INF/web.xml", WEB_XML.formatted(minor, minor))
                .classes("WEB-INF/classes/", List.of(), "p.Old", SERVLET, "p.Hello", TAG)
                .text("WEB-INF/tags.tld", tld(minor))
                .text("page.jsp", PAGE)
                .text("part.inc", "<%= new javax.servlet.http.Cookie(\"c\", \"v\").getName() %>")
                .text("WEB-INF/tags/file.tag", TAG_FILE)
                .text("filed.jsp", "<%@ taglib tagdir=\"/WEB-INF/tags\" prefix=\"f\" %><f:file/>")
                .text("note.txt", "about javax.servlet.Servlet");
    }

    /// A tag library of JSP 1.1 for the descriptor 2.2, and of 1.2 for 2.3.
    private static String tld(int minor) {
        return minor == 2
                ? TLD.formatted(
                        1,
                        "j2ee",
                        1,
                        "<tlibversion>1.0</tlibversion><jspversion>1.1</jspversion>"
                                + "<shortname>t</shortname>",
                        "tagclass",
                        "tagclass")
                : TLD.formatted(
                        2,
                        "dtd",
                        2,
                        "<tlib-version>1.0</tlib-version><jsp-version>1.2</jsp-version>"
                                + "<short-name>t</short-name>",
                        "tag-class",
                        "tag-class");
    }

    /// A library that registers itself by a service file and by annotations.
    static Path library(Path folder) {
        return Archives.in(folder)
                .classes(
                        "",
                        List.of(),
                        "lib.Register",
                        INITIALIZER,
                        "lib.Marked",
                        MARKED,
                        "lib.Annotated",
                        ANNOTATED)
                .text(
                        "META-INF/services/javax.servlet.ServletContainerInitializer",
                        "lib.Register\n")
                .text("META-INF/resources/static.txt", "says javax.servlet.Servlet")
                .to(folder.resolve("library.jar"));
    }

    /// The same, signed.
    static Path signed(Path folder, Path library) {
        TestAuthority.Issued issued = TestAuthority.in(folder, "signer").issue("signer");
        Path signed = folder.resolve("signed.jar");
        try (ZipFile zip = new ZipFile(library.toFile());
                OutputStream out = Files.newOutputStream(signed)) {
            PrivateKey key = Objects.requireNonNull(issued.always().getPrivateKey("any"));
            CertPath path =
                    CertificateFactory.getInstance("X.509").generateCertPath(issued.chain());
            new JarSigner.Builder(key, path).build().sign(zip, out);
            return signed;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }
}
