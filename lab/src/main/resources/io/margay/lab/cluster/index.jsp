<%@ page contentType="text/html; charset=UTF-8" %><%
Integer before = (Integer) session.getAttribute("visits");
int visits = before == null ? 1 : before + 1;
session.setAttribute("visits", visits);
%><!doctype html>
<title>Visit <%= visits %></title>
<p>Visit <%= visits %> of session <%= session.getId() %>, by container <%= application.getInitParameter("container") %>.
