<%@ page contentType="text/plain" %><%
  Integer count = (Integer) session.getValue("count");
  session.putValue("count", count == null ? 1 : count + 1);
%><%= session.getValue("count") %> <%= session.getId().endsWith(".node1") %>
