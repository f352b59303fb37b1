<%@ page session="false" %><%
    response.addHeader("Link", "</style.css>; rel=preload; as=style");
    response.sendError(103);
%>after the hints
