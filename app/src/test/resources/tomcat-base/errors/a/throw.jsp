<%@ page import="jakarta.servlet.*" %><%
    switch (request.getParameter("what")) {
        case "state" -> throw new IllegalStateException("secret words");
        case "argument" -> throw new IllegalArgumentException("secret words");
        default -> throw new UnavailableException("secret words");
    }
%>
